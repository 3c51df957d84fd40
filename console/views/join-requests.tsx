import { Group } from '@mantine/core';
import { useState } from 'react';
import type { ListedJoinRequest } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Person, PersonLink } from '../ui/person.tsx';
import { actions } from '../ui/rows.tsx';
import { usePages } from '../ui/use-pages.ts';
import { When } from '../ui/when.tsx';
import { RoleSelect } from './role-select.tsx';

type Props = { project: string; workspace_id: string; onChange: () => void };

/** Who asks to become a member, which the operator decides in place of an admin. */
export function JoinRequests({ project, workspace_id, onChange }: Props) {
  const { joinRequests } = clientOf(project);
  const list = usePages(
    `join requests ${workspace_id}`,
    ['request', 'requests'],
    (cursor, signal) => joinRequests.list({ workspace_id, cursor, limit: 25 }, { signal }),
  );
  const after = (work: Promise<unknown>) => list.after(work).then(onChange);
  return (
    <List
      label="Join requests"
      list={list}
      keyOf={({ user_id }) => user_id}
      empty="Nobody asks to join."
      columns={[
        {
          title: 'User',
          cell: ({ user }) => <PersonLink project={project} user={user} />,
        },
        { title: 'E-mail', cell: ({ user }) => user.email || '–' },
        { title: 'Message', cell: ({ message }) => message ?? '–' },
        { title: 'Asked', cell: ({ created_at }) => <When at={created_at} /> },
        {
          title: actions,
          cell: (request) => (
            <Group gap={4} justify="flex-end">
              <Approve
                project={project}
                workspace_id={workspace_id}
                request={request}
                onApprove={(role) =>
                  after(joinRequests.approve({ workspace_id, user_id: request.user_id, role }))
                }
              />
              <Dialog
                label="Refuse"
                title={
                  <>
                    Refuse <Person user={request.user} />?
                  </>
                }
                danger
                size="xs"
                onSubmit={() =>
                  after(joinRequests.delete({ workspace_id, user_id: request.user_id }))
                }
              >
                <Explain>They may ask again.</Explain>
              </Dialog>
            </Group>
          ),
        },
      ]}
    />
  );
}

type ApproveProps = {
  project: string;
  workspace_id: string;
  request: ListedJoinRequest;
  onApprove: (role: string) => Promise<void>;
};

function Approve({ project, workspace_id, request: { user, message }, onApprove }: ApproveProps) {
  const [role, setRole] = useState('member');
  return (
    <Dialog
      label="Approve"
      title={
        <>
          Make <Person user={user} /> a member
        </>
      }
      submit="Approve"
      size="xs"
      onOpen={() => setRole('member')}
      onSubmit={() => onApprove(role)}
    >
      {message !== undefined && <Explain>{message}</Explain>}
      <RoleSelect {...{ project, workspace_id, role }} onChange={setRole} />
    </Dialog>
  );
}
