import { invitations } from '#shared/contract/invitations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUidByEmail } from '#shared/identity/users/users.ts';
import { notFound } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { endInvitation } from '#shared/workspaces/invitations/change-invitations.ts';
import { getInvitation } from '#shared/workspaces/invitations/invitations.ts';
import { toInvitation } from '#shared/workspaces/views.ts';

export const handler = endpoint(invitations.endByEmail, async ({ params, query, caller, now }) => {
  const { workspace_id } = params;
  const [uid, { principal }] = await Promise.all([
    getUidByEmail(caller.project_id, query.email),
    authorize(caller, 'invitation:revoke', workspace_id),
  ]);
  const invitation = uid === undefined ? undefined : await getInvitation(workspace_id, uid);
  if (!invitation) throw notFound('no such invitation');
  return endInvitation(invitation, { declined: false, principal }).as((ended) =>
    toInvitation(ended, now),
  );
});
