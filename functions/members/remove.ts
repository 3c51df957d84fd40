import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import { requireMayManage } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { removeMember } from '#shared/workspaces/members/change-member.ts';
import { expectedMember, getMember } from '#shared/workspaces/members/members.ts';
import { toMemberFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(members.remove, async ({ params, caller, match, now }) => {
  const { workspace_id, user_id } = params;
  const left = caller.kind === 'person' && caller.uid === user_id;
  const [{ workspace, principal, reader }, member] = await Promise.all([
    authorize(caller, left ? 'member:leave' : 'member:remove', workspace_id),
    getMember(workspace_id, user_id),
  ]);
  if (!member) throw notFound('no such member');
  if (!left) requireMayManage(principal, member);
  const view = toMemberFor(reader);
  match?.(expectedMember(member), view(member));
  if (workspace.owner_id === user_id) throw new ApiError('owner_must_stay');
  return removeMember(workspace, member, { left, principal }, now).as(view);
});
