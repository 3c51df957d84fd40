import { invitations } from '#shared/contract/invitations.ts';
import { inChunks } from '#shared/db/batch-write.ts';
import { commit } from '#shared/db/commit.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUidByEmail } from '#shared/identity/users/users.ts';
import { notFound } from '#shared/model/errors.ts';
import { requireMayManage } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { invitationsAtOnce } from '#shared/workspaces/invitations/change-invitations.ts';
import { revokeInvitations } from '#shared/workspaces/invitations/end-invitations.ts';
import { findInvitationsTo } from '#shared/workspaces/invitations/invitations.ts';
import { toInvitation } from '#shared/workspaces/views.ts';

export const handler = endpoint(invitations.endByEmail, async ({ params, query, caller, now }) => {
  const { workspace_id } = params;
  const { email } = query;
  const [uid, { principal }] = await Promise.all([
    getUidByEmail(caller.project_id, email),
    authorize(caller, 'invitation:revoke', workspace_id),
  ]);
  const [first, ...others] = await findInvitationsTo(workspace_id, { email, uid });
  if (!first) throw notFound('no such invitation');
  for (const each of [first, ...others]) requireMayManage(principal, each);
  const [last = [], ...earlier] = inChunks([first, ...others], invitationsAtOnce);
  // The invitation that is shown ends last: until then, a repetition goes on where this request stopped.
  for (const some of earlier) await commit(revokeInvitations(workspace_id, some, principal));
  return revokeInvitations(workspace_id, last, principal).as(() => toInvitation(first, now));
});
