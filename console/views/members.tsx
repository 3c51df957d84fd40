import { Badge, Group, Switch } from '@mantine/core';
import { useState } from 'react';
import type { ListedMember, Workspace } from '../../client/generated/api.ts';
import { clientOf, readUser } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { EmailInput } from '../ui/email-input.tsx';
import { List } from '../ui/list.tsx';
import { Person, PersonLink } from '../ui/person.tsx';
import { useQuery } from '../ui/route.tsx';
import { actions } from '../ui/rows.tsx';
import { Search } from '../ui/search.tsx';
import { useFields } from '../ui/use-fields.ts';
import { usePages } from '../ui/use-pages.ts';
import { MemberMetadata } from './member-metadata.tsx';
import { RoleSelect } from './role-select.tsx';

type Props = { project: string; workspace: Workspace; onChange: () => void };

export function Members({ project, workspace, onChange }: Props) {
  const { workspace_id, owner_id } = workspace;
  const { members, ownership } = clientOf(project);
  const [query] = useQuery();
  const text = query.get('query') ?? '';
  const filter = text === '' ? {} : { query: text };
  const list = usePages(
    `members ${workspace_id} ${text}`,
    ['member', 'members'],
    (cursor, signal) =>
      members.list({ workspace_id, status: 'accepted', ...filter, cursor, limit: 25 }, { signal }),
  );
  const after = (work: Promise<unknown>) => list.after(work).then(onChange);
  const remove = (user_id: string) => () => after(members.remove({ workspace_id, user_id }));
  return (
    <>
      <Group gap="sm" mb="sm" justify="space-between">
        <Search label="Find members" placeholder="Beginning of an e-mail or a name" />
        <AddMember
          project={project}
          workspace_id={workspace_id}
          onAdd={(newMember) => after(members.add({ workspace_id, ...newMember }))}
        />
      </Group>
      <List
        label="Members"
        list={list}
        keyOf={({ member_id }) => member_id}
        empty={`Nobody whose e-mail or name starts with “${text}”.`}
        columns={[
          {
            title: 'Member',
            cell: (member) => <PersonLink project={project} user={member} />,
          },
          { title: 'E-mail', cell: ({ email }) => email || '–' },
          {
            title: 'Role',
            cell: ({ uid, role, suspended }) => (
              <Group gap={4}>
                <Badge>{uid === owner_id ? 'owner' : role}</Badge>
                {suspended && (
                  <Badge color="red" variant="outline">
                    suspended
                  </Badge>
                )}
              </Group>
            ),
          },
          {
            title: actions,
            cell: (member) => (
              <Group gap={4} justify="flex-end">
                <MemberMetadata project={project} workspace_id={workspace_id} member={member} />
                {member.uid !== owner_id && (
                  <>
                    <ChangeMember
                      project={project}
                      workspace_id={workspace_id}
                      member={member}
                      onChange={after}
                    />
                    {member.role === 'admin' && !member.suspended && (
                      <Dialog
                        label="Make owner"
                        title={
                          <>
                            Make <Person user={member} /> the owner?
                          </>
                        }
                        danger
                        size="xs"
                        onSubmit={() =>
                          after(ownership.offer({ workspace_id, user_id: member.uid }))
                        }
                      >
                        <Explain>
                          At once, without being asked. The owner before stays an admin.
                        </Explain>
                      </Dialog>
                    )}
                    <Dialog
                      label="Remove"
                      title={
                        <>
                          Remove <Person user={member} />?
                        </>
                      }
                      danger
                      size="xs"
                      onSubmit={remove(member.uid)}
                    >
                      <Explain>They lose access to the workspace at once.</Explain>
                    </Dialog>
                  </>
                )}
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

type ChangeProps = {
  project: string;
  workspace_id: string;
  member: ListedMember;
  onChange: (work: Promise<unknown>) => Promise<void>;
};

function ChangeMember({ project, workspace_id, member, onChange }: ChangeProps) {
  const { uid: user_id, role: before, suspended: suspendedBefore = false } = member;
  const [role, setRole] = useState(before);
  const [suspended, setSuspended] = useState(suspendedBefore);
  const save = async () => {
    const { members } = clientOf(project);
    const target = { workspace_id, user_id };
    if (role !== before) await members.changeRole({ ...target, role });
    if (suspended !== suspendedBefore) await members.suspend({ ...target, suspended });
  };
  return (
    <Dialog
      label="Change"
      title={
        <>
          Change <Person user={member} />
        </>
      }
      submit="Save"
      size="xs"
      valid={role !== before || suspended !== suspendedBefore}
      onOpen={() => {
        setRole(before);
        setSuspended(suspendedBefore);
      }}
      onSubmit={() => onChange(save())}
    >
      <RoleSelect {...{ project, workspace_id, role }} onChange={setRole} />
      <Switch
        label="Suspended: no access to the workspace"
        checked={suspended}
        onChange={({ currentTarget }) => setSuspended(currentTarget.checked)}
      />
    </Dialog>
  );
}

type AddProps = {
  project: string;
  workspace_id: string;
  onAdd: (newMember: { user_id: string; role: string }) => Promise<void>;
};

function AddMember({ project, workspace_id, onAdd }: AddProps) {
  const { fields, set, input, reset } = useFields({ email: '', role: 'member' });
  const { email, role } = fields;
  const add = async () => {
    const { uid } = await readUser(project, email.trim());
    await onAdd({ user_id: uid, role });
  };
  return (
    <Dialog
      label="Add a member"
      title="Add a member"
      submit="Add"
      valid={email.trim() !== ''}
      onOpen={reset}
      onSubmit={add}
    >
      <EmailInput {...input('email')} />
      <RoleSelect {...{ project, workspace_id, role }} onChange={(chosen) => set('role', chosen)} />
      <Explain>They are a member at once. To ask them first, invite them.</Explain>
    </Dialog>
  );
}
