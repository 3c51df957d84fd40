import { invitations } from '#shared/contract/invitations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { notFound } from '#shared/model/errors.ts';
import { allow } from '#shared/model/policy.ts';
import { requireMayManage } from '#shared/roles/principal.ts';
import { authorize, requireKeyPermission } from '#shared/workspaces/authorize.ts';
import { endInvitation } from '#shared/workspaces/invitations/end-invitations.ts';
import { getInvitation, isOpenFor } from '#shared/workspaces/invitations/invitations.ts';
import { toInvitation } from '#shared/workspaces/views.ts';
import { requireWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(invitations.end, async ({ params, caller, now }) => {
  const { workspace_id, user_id } = params;
  const declined = caller.kind === 'person' && caller.uid === user_id;
  const [invitation, user, by] = await Promise.all([
    getInvitation(workspace_id, user_id),
    declined ? getUser(caller.project_id, user_id) : undefined,
    declined
      ? requireWorkspace(caller.project_id, workspace_id).then(() => undefined)
      : authorize(caller, 'invitation:revoke', workspace_id),
  ]);
  // An invitee does not see an invitation that has expired, or was sent to a mailbox that they no longer have.
  const invited = invitation && user && isOpenFor(invitation, user, now);
  if (declined) {
    allow('invitation:decline', invited ? 'invited' : 'none');
    requireKeyPermission(caller, 'invitation:decline');
  }
  if (!invitation) throw notFound('no such invitation');
  requireMayManage(by?.principal, invitation);
  return endInvitation(
    invitation,
    declined ? { declined, key: caller.key } : { declined: false, principal: by?.principal },
  ).as((ended) => toInvitation(ended, now));
});
