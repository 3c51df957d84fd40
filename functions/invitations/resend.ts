import { invitations } from '#shared/contract/invitations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getMailKey } from '#shared/mail/mail-secret.ts';
import { notFound } from '#shared/model/errors.ts';
import { requireMayManage } from '#shared/roles/manager.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { renewInvitation } from '#shared/workspaces/change-invitations.ts';
import { invitationToken } from '#shared/workspaces/invitation-token.ts';
import { getInvitation, lifetimeOf } from '#shared/workspaces/invitations.ts';
import { countInvitation, mailOf, withNewToken } from '#shared/workspaces/invite.ts';
import { invitationLink, toInvitation } from '#shared/workspaces/views.ts';

export const handler = endpoint(invitations.resend, async ({ params, caller, now }) => {
  const { workspace_id, user_id } = params;
  const { project_id, project } = caller;
  const [key, invitation, { workspace, manager }] = await Promise.all([
    getMailKey(),
    getInvitation(workspace_id, user_id),
    authorize(caller, 'invitation:resend', workspace_id),
  ]);
  if (!invitation) throw notFound('no such invitation');
  // The invited mailbox, even if the user has another e-mail now.
  const { mailbox } = invitation;
  // It gives the role anew, also of an invitation that had expired.
  requireMayManage(manager, invitation);
  await countInvitation({ project_id, email: mailbox, mailed: true, now }, manager);
  const next = withNewToken(invitation, mailbox, lifetimeOf(invitation), key, now);
  const mail = mailOf(next, mailbox, now);
  const link = invitationLink(next, project, invitationToken(next, 'link', key));
  return renewInvitation(workspace, invitation, next, mail, manager, now).as((resent) => ({
    ...toInvitation(resent, now),
    link,
  }));
});
