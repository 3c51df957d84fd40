import { Badge, Group } from '@mantine/core';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { EmailInput } from '../ui/email-input.tsx';
import { List } from '../ui/list.tsx';
import { actions } from '../ui/rows.tsx';
import { useFields } from '../ui/use-fields.ts';
import { usePages } from '../ui/use-pages.ts';
import { When } from '../ui/when.tsx';
import { RoleSelect } from './role-select.tsx';

export function Invitations({ project, workspace_id }: { project: string; workspace_id: string }) {
  const { invitations } = clientOf(project);
  const list = usePages(
    `invitations ${workspace_id}`,
    ['invitation', 'invitations'],
    (cursor, signal) => invitations.list({ workspace_id, cursor, limit: 25 }, { signal }),
  );
  const { after } = list;
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
  const { fields, set, input, reset } = useFields({ email: '', role: 'member' });
  const { email, role } = fields;
  return (
    <Dialog
      label="Invite"
      title="Invite"
      valid={email.trim() !== ''}
      onOpen={reset}
      onSubmit={() => onInvite({ email: email.trim(), role })}
    >
      <EmailInput {...input('email')} />
      <RoleSelect {...{ project, workspace_id, role }} onChange={(chosen) => set('role', chosen)} />
      <Explain>A mail with a link is sent to them.</Explain>
    </Dialog>
  );
}
