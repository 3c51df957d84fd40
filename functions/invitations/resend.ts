import { invitationToken } from '#shared/auth/invitation-token.ts';
import { countInvitation, mailOf, renewed } from '#shared/auth/inviting.ts';
import { getMailKey } from '#shared/auth/mail-secret.ts';
import { authorize, managerOf } from '#shared/auth/standing.ts';
import { invitations } from '#shared/contract/invitations.ts';
import { notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getInvitation, lifetimeOf, renewInvitation } from '#shared/table/invitations.ts';
import { invitationLink, viewInvitation } from '#shared/views.ts';

export const handler = endpoint(invitations.resend, async ({ params, caller, now }) => {
  const { workspace_id, user_id } = params;
  const { project_id, project } = caller;
  const [key, invitation, { workspace }] = await Promise.all([
    getMailKey(),
    getInvitation(workspace_id, user_id),
    authorize(caller, 'invitation:resend', workspace_id),
  ]);
  if (!invitation) throw notFound();
  // To the mailbox that was invited, whatever its user has made of theirs since.
  const { mailbox } = invitation;
  const manager = managerOf(caller);
  await countInvitation({ project_id, email: mailbox, mailed: true, now }, manager);
  const next = renewed(invitation, mailbox, lifetimeOf(invitation), key, now);
  const mail = mailOf(next, mailbox, now);
  const link = invitationLink(next, project, invitationToken(next, 'link', key));
  return renewInvitation(workspace, invitation, next, mail, manager, now).as((resent) => ({
    ...viewInvitation(resent, now),
    link,
  }));
});
