import { invitations } from '#shared/contract/invitations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getMailKey } from '#shared/mail/mail-secret.ts';
import { invalidField, notFound } from '#shared/model/errors.ts';
import { isBuiltIn } from '#shared/model/fields.ts';
import { isRole } from '#shared/roles/definitions.ts';
import { withOwnRoles } from '#shared/roles/own-roles.ts';
import { requireMayGive } from '#shared/roles/principal.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { renewInvitation } from '#shared/workspaces/invitations/change-invitations.ts';
import { invitationToken } from '#shared/workspaces/invitations/invitation-token.ts';
import { getInvitation, isPurged, lifetimeOf } from '#shared/workspaces/invitations/invitations.ts';
import {
  countInvitation,
  invitationMailOf,
  inviterOfResent,
  uncountInvitation,
  withNewToken,
} from '#shared/workspaces/invitations/invite.ts';
import { invitationLink, toInvitation } from '#shared/workspaces/views.ts';

export const handler = endpoint(invitations.resend, async ({ params, caller, now }) => {
  const { workspace_id, user_id } = params;
  const { project_id, project } = caller;
  const [key, invitation, { workspace, principal, inviter: sender }] = await Promise.all([
    getMailKey(),
    getInvitation(workspace_id, user_id),
    authorize(caller, 'invitation:resend', workspace_id),
  ]);
  if (!invitation || isPurged(invitation, now)) throw notFound('no such invitation');
  // The invited mailbox, even if the user has another e-mail now.
  const { mailbox, role } = invitation;
  // It gives the role anew, also of an invitation that had expired, whose role may be gone or hold more by now.
  const roles = isBuiltIn(role) ? undefined : withOwnRoles(await getRoles(project_id), workspace);
  if (roles && !isRole(roles.definitions, role))
    throw invalidField('/path/user_id', `The invitation has the role ${role}, which there is not`);
  requireMayGive(principal, role, roles);
  const inviter = await inviterOfResent(workspace, invitation, sender);
  const counted = { project_id, email: mailbox, mailed: true, now };
  await countInvitation(counted, principal);
  const sent = { ...invitation, inviter_id: inviter.uid, inviter_email: inviter.email };
  const next = withNewToken(sent, mailbox, lifetimeOf(invitation), key, now);
  const mail = invitationMailOf(next, mailbox, now);
  const link = invitationLink(next, project, invitationToken(next, 'link', key));
  return renewInvitation(workspace, invitation, next, mail, principal, now)
    .ifRefused((failure) => {
      uncountInvitation(counted);
      return failure;
    })
    .as((resent) => ({ ...toInvitation(resent, now), link }));
});
