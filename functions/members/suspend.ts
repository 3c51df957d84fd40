import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import { requireMayManage } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { setSuspension } from '#shared/workspaces/members/change-member.ts';
import { expectedMember, getMember } from '#shared/workspaces/members/members.ts';
import { toMemberFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(members.suspend, async ({ params, body, caller, match, now }) => {
  const { workspace_id, user_id } = params;
  const { suspended } = body;
  const [{ workspace, principal, reader }, member] = await Promise.all([
    authorize(caller, 'member:suspend', workspace_id),
    getMember(workspace_id, user_id),
  ]);
  if (!member) throw notFound('no such member');
  requireMayManage(principal, member);
  const view = toMemberFor(reader);
  match?.(expectedMember(member), view(member));
  if (workspace.owner_id === user_id) throw new ApiError('owner_must_stay');
  if ((member.suspended_at !== undefined) === suspended) return view(member);
  return setSuspension(workspace, member, { suspended, principal }, now).as(view);
});
