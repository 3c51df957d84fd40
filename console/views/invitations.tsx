import { Badge, Group } from '@mantine/core';
import { useState } from 'react';
import { nextCursor } from '../../client/pages.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { EmailInput } from '../ui/email-input.tsx';
import { List } from '../ui/list.tsx';
import { useQuery } from '../ui/route.tsx';
import { actions } from '../ui/rows.tsx';
import { totalOf } from '../ui/total.ts';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';
import { RoleSelect } from './members.tsx';

export function Invitations({ project, workspace_id }: { project: string; workspace_id: string }) {
  const { invitations } = clientOf(project);
  const [query] = useQuery();
  const cursor = query.get('cursor') ?? undefined;
  const list = useLoad(`invitations ${workspace_id} ${cursor}`, async (signal) => {
    const { body, headers } = await invitations.list(
      { workspace_id, cursor, limit: 25 },
      { signal },
    );
    return {
      rows: body.result,
      next: nextCursor(headers),
      total: totalOf(body, ['invitation', 'invitations']),
    };
  });
  const after = async (work: Promise<unknown>) => {
    await work;
    list.reload();
  };
  return (
    <>
      <Group mb="sm" justify="flex-end">
        <Invite
          project={project}
          workspace_id={workspace_id}
          onInvite={(invitee) => after(invitations.create({ workspace_id, ...invitee }))}
        />
      </Group>
      <List
        label="Invitations"
        list={list}
        keyOf={({ member_id }) => member_id}
        empty="No invitation is open."
        columns={[
          { title: 'E-mail', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => <Badge>{role}</Badge> },
          {
            title: 'Expires',
            cell: ({ state, expires_at }) =>
              state === 'expired' ? <Badge color="gray">expired</Badge> : <When at={expires_at} />,
          },
          {
            title: actions,
            cell: ({ user_id, email }) => (
              <Group gap={4} justify="flex-end">
                <Dialog
                  label="Send again"
                  title={`Send the invitation to ${email} again?`}
                  size="xs"
                  onSubmit={() => after(invitations.resend({ workspace_id, user_id }))}
                >
                  <Explain>With a new link; that of the mail before ends.</Explain>
                </Dialog>
                <Dialog
                  label="Revoke"
                  title={`Revoke the invitation to ${email}?`}
                  danger
                  size="xs"
                  onSubmit={() => after(invitations.end({ workspace_id, user_id }))}
                >
                  <Explain>Its link ends.</Explain>
                </Dialog>
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

type Invitee = { email: string; role: string };

type InviteProps = {
  project: string;
  workspace_id: string;
  onInvite: (invitee: Invitee) => Promise<void>;
};

function Invite({ project, workspace_id, onInvite }: InviteProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('member');
  const invite = async () => {
    await onInvite({ email: email.trim(), role });
  };
  return (
    <Dialog
      label="Invite"
      title="Invite"
      valid={email.trim() !== ''}
      onOpen={() => {
        setEmail('');
        setRole('member');
      }}
      onSubmit={invite}
    >
      <EmailInput email={email} onChange={setEmail} />
      <RoleSelect {...{ project, workspace_id, role }} onChange={setRole} />
      <Explain>A mail with a link is sent to them.</Explain>
    </Dialog>
  );
}
