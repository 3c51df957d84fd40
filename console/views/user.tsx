import { Badge, Group } from '@mantine/core';
import { useState } from 'react';
import type { FoundUser } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Id } from '../ui/copy.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { isUid, nameOf, State } from '../ui/person.tsx';
import { Link } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';
import { type Kind, Metadata } from './metadata.tsx';
import { UserActions } from './user-actions.tsx';
import { UserApiKeys } from './user-api-keys.tsx';
import { UserHistory } from './user-history.tsx';
import { UserSessions } from './user-sessions.tsx';
import { UserWorkspaces } from './user-workspaces.tsx';

export function UserView({ project, id }: ViewProps) {
  // By search: to get the user of an unknown uid would create it.
  const loaded = useLoad(`user ${project} ${id}`, async (signal) => {
    if (!isUid(id)) return { user: undefined };
    const { body } = await clientOf(project).users.search({ uids: [id] }, { signal });
    return { user: body.result[0] };
  });
  const { data, reload } = loaded;
  // What is done to a user may end or start sessions.
  const [round, setRound] = useState(0);
  const change = () => {
    reload();
    setRound(round + 1);
  };
  const above = <Link href={`/projects/${project}/users`}>Users</Link>;
  const state = <LoadState of={loaded} label="the user" />;
  if (!data)
    return (
      <Page title="User" above={above}>
        {state}
      </Page>
    );
  const { user } = data;
  if (!user)
    return (
      <Page title="No such user" above={above}>
        <p>This project has no user with the id {id}. It may have been deleted.</p>
      </Page>
    );
  return (
    <Page
      title={nameOf(user)}
      above={above}
      actions={<UserActions project={project} user={user} onChange={change} />}
    >
      {state}
      <Section title="Profile">
        <Facts rows={factsOf(user)} />
      </Section>
      <UserHistory project={project} uid={id} round={round} />
      <UserSessions project={project} uid={id} round={round} />
      <UserApiKeys project={project} uid={id} round={round} />
      <UserWorkspaces project={project} uid={id} />
      <Metadata
        id={id}
        kinds={kinds}
        read={(signal) => clientOf(project).users.getMetadata({ uid: id }, { signal })}
        write={(objects, ifMatch) =>
          clientOf(project).users.setMetadata({ uid: id, ...objects }, { ifMatch })
        }
      />
    </Page>
  );
}

const kinds: Kind[] = [
  { name: 'user_metadata', label: 'Of the user', about: 'The user reads and writes it.' },
  { name: 'app_metadata', label: 'Of the application', about: 'The user reads it.' },
  { name: 'private_metadata', label: 'Private', about: 'The backend alone reads it.' },
];

function factsOf(user: FoundUser): [string, React.ReactNode][] {
  const text = (value: string | undefined) => (value ? <bdi>{value}</bdi> : '–');
  return [
    ['Id', <Id key="id" value={user.uid} label="id" />],
    ['Id of the backend', text(user.external_id)],
    ['E-mail', text(user.email)],
    ['State', <State key="state" user={user} />],
    ['Display name', text(user.displayed_name)],
    [
      'Name',
      text(user.name.formatted || `${user.name.given_name} ${user.name.family_name}`.trim()),
    ],
    ['User name', text(user.preferred_username)],
    [
      'Signs in by',
      Object.keys(user.sign_in_methods ?? {}).length > 0 ? (
        <Group gap={4} key="methods">
          {Object.entries(user.sign_in_methods ?? {}).map(([name, { enabled }]) => (
            <Badge key={name} color={enabled ? 'blue' : 'gray'}>
              {enabled ? name : `${name} (off)`}
            </Badge>
          ))}
        </Group>
      ) : (
        'the backend'
      ),
    ],
    ['Wallet', text(user.wallet.address)],
    ['Created', <When key="created" at={user.created_at} exact />],
    ['Changed', <When key="changed" at={user.modified_at} exact />],
    ['Last sign-in', <When key="last" at={user.last_sign_in_at} exact />],
  ];
}
