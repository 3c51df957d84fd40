import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { ApiError, type FieldError, notFound } from '#shared/model/errors.ts';
import { getRolesToGive, requireMayGive, requireMayManage } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import type { MemberItem } from '#shared/workspaces/items.ts';
import { changeRole } from '#shared/workspaces/members/change-member.ts';
import { expectedMember, getMember } from '#shared/workspaces/members/members.ts';
import { toMemberFor, toUserFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(
  members.changeRole,
  async ({ params, body, caller, match, now }) => {
    const { workspace_id, user_id } = params;
    const errors = (['workspace_id', 'user_id'] as const).flatMap((name): FieldError[] =>
      body[name] !== undefined && body[name] !== params[name]
        ? [{ pointer: `/body/${name}`, detail: 'Must equal that of the path' }]
        : [],
    );
    if (errors.length > 0) throw new ApiError('invalid_request', { errors });
    const [{ workspace, principal, reader }, member, user, roles] = await Promise.all([
      authorize(caller, 'member:change-role', workspace_id),
      getMember(workspace_id, user_id),
      getUser(caller.project_id, user_id),
      getRolesToGive(caller.project_id, workspace_id, body.role),
    ]);
    requireMayGive(principal, body.role, roles);
    if (!member || !user) throw notFound('no such member');
    requireMayManage(principal, member);
    match?.(expectedMember(member), toMemberFor(reader)(member));
    if (workspace.owner_id === user_id) throw new ApiError('owner_role_fixed');
    const userView = toUserFor(reader, user);
    const view = ({ role }: MemberItem) => ({ ...userView, role });
    if (member.role === body.role) return view(member);
    return changeRole(workspace, member, { role: body.role, principal }, now).as(view);
  },
);
