import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FoundUser, User } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { EmailInput } from '../ui/email-input.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { isUid, PersonLink, State } from '../ui/person.tsx';
import { follow, go, useQuery } from '../ui/route.tsx';
import { Search } from '../ui/search.tsx';
import { useFields } from '../ui/use-fields.ts';
import { usePages } from '../ui/use-pages.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';
import { withExternalId } from '../ui/with-external-id.ts';

export function UsersView({ project }: ViewProps) {
  const [query, setQuery] = useQuery();
  const text = query.get('query') ?? '';
  const order = query.get('order') === 'asc' ? ('asc' as const) : ('desc' as const);
  const filter = text === '' ? { order } : { query: text };
  const list = usePages<User | FoundUser>(
    `users ${project} ${text} ${order}`,
    ['user', 'users'],
    async (cursor, signal) => {
      const { users } = clientOf(project);
      if (isUid(text)) return users.search({ uids: [text] }, { signal });
      const search = users.list({ ...filter, cursor, limit: 25 }, { signal });
      if (text === '' || cursor !== undefined) return search;
      const byExternalId = users.list({ external_id: text }, { signal });
      return withExternalId<User | FoundUser>(search, byExternalId, ({ uid }) => uid);
    },
  );
  return (
    <Page
      title="Users"
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={`/projects/${project}/import`}
            onClick={(event) => follow(event, `/projects/${project}/import`)}
          >
            Import
          </Button>
          <NewUser project={project} />
        </>
      }
    >
      <Group gap="sm">
        <Search label="Find users" placeholder="Beginning of an e-mail or a name, or an id" />
        {text === '' && (
          <Select
            aria-label="Order"
            value={order}
            onChange={(value) => setQuery({ order: value === 'asc' ? 'asc' : '' })}
            data={[
              { value: 'desc', label: 'Newest first' },
              { value: 'asc', label: 'Oldest first' },
            ]}
            allowDeselect={false}
            w={160}
          />
        )}
      </Group>
      <List
        label="Users"
        list={list}
        keyOf={({ uid }) => uid}
        empty={
          text === ''
            ? 'There is no user yet.'
            : `No e-mail or name starts with “${text}”, and it is nobody’s id.`
        }
        columns={[
          {
            title: 'User',
            cell: (user) => <PersonLink project={project} user={user} />,
          },
          { title: 'E-mail', cell: ({ email }) => email || '–' },
          { title: 'State', cell: (user) => <State user={user} /> },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
          {
            title: 'Last sign-in',
            cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} />,
          },
        ]}
      />
    </Page>
  );
}

function NewUser({ project }: { project: string }) {
  const { fields, input, reset } = useFields({ email: '', name: '' });
  const [email, name] = [fields.email.trim(), fields.name.trim()];
  const [verified, setVerified] = useState(false);
  const create = async () => {
    const { body } = await clientOf(project).users.create({
      email,
      ...(name !== '' && { display_name: name }),
      ...(verified && { email_verified: true }),
    });
    go(`/projects/${project}/users/${body.uid}`);
  };
  return (
    <Dialog
      label="New user"
      title="New user"
      submit="Create"
      valid={email !== ''}
      onOpen={() => {
        reset();
        setVerified(false);
      }}
      onSubmit={create}
    >
      <EmailInput {...input('email')} />
      <TextInput label="Display name" {...input('name')} />
      <Checkbox
        label="I know that the mailbox is theirs"
        checked={verified}
        onChange={({ currentTarget }) => setVerified(currentTarget.checked)}
      />
      <Explain>If there is a user with this e-mail, you get to that one.</Explain>
    </Dialog>
  );
}
