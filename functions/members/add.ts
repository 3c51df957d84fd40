import { members } from '#shared/contract/members.ts';
import { rateLimitWrite } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import {
  countedAs,
  getRolesToGive,
  requireMayGive,
  requireMayManage,
} from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { inviteInstead } from '#shared/workspaces/invitations/invite-one.ts';
import { joinRequestDeletion } from '#shared/workspaces/joining/join-requests.ts';
import { mayAddDirectly } from '#shared/workspaces/members/acquaintance.ts';
import { addMember } from '#shared/workspaces/members/add-member.ts';
import { readCandidate, requireSameRole } from '#shared/workspaces/members/candidate.ts';
import { setSuspension } from '#shared/workspaces/members/change-member.ts';
import { toMemberFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(members.add, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { user_id, role, suspended } = body;
  const [{ workspace, inviter, principal, reader }, candidate, roles] = await Promise.all([
    authorize(caller, 'member:add', workspace_id),
    readCandidate(caller.project_id, workspace_id, user_id),
    getRolesToGive(caller.project_id, workspace_id, role),
    suspended && authorize(caller, 'member:suspend', workspace_id),
  ]);
  requireMayGive(principal, role, roles);
  const { user, member, invitation, request } = candidate;
  if (!user) throw notFound('no such user');
  requireSameRole(member, role);
  const view = toMemberFor(reader);
  if (member && suspended && member.suspended_at === undefined) {
    requireMayManage(principal, member);
    if (workspace.owner_id === user_id) throw new ApiError('owner_must_stay');
    const suspension = setSuspension(workspace, member, { suspended, principal }, now);
    return suspension.as((changed) => reply(view(changed), { status: 200 }));
  }
  if (member) return reply(view(member), { status: 200 });
  const writes = joinRequestDeletion(request);
  const entry = { workspace, user, invitation, role, inviter, suspended, writes };
  // A backend needs no consent of the user.
  if (principal === undefined) return addMember(entry, now).as(view);
  const admission = await mayAddDirectly(workspace, user, request, principal.uid, now);
  if (admission) {
    const rate = rateLimitWrite('additionsByOne', countedAs(principal, workspace), 1, now);
    return addMember({ ...entry, ...admission, principal, rate }, now).as(view);
  }
  // Nobody would suspend them when they accept.
  if (suspended)
    throw new ApiError('forbidden', { detail: 'Only who is added at once can be suspended' });
  const invite = await inviteInstead(entry, principal, now);
  return invite.as(({ invitation: invited, isNew }) =>
    reply(view(invited), { status: isNew ? 201 : 200, located: false }),
  );
});
