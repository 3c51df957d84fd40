import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users.ts';
import { viewUser } from '#shared/identity/views.ts';
import { Failure, type FieldError, notFound } from '#shared/model/errors.ts';
import { authorize, managerOf } from '#shared/workspaces/authorize.ts';
import type { MemberItem } from '#shared/workspaces/items.ts';
import { changeRole, getMember } from '#shared/workspaces/members.ts';
import { viewMember } from '#shared/workspaces/views.ts';

export const handler = endpoint(
  members.changeRole,
  async ({ params, body, caller, match, now }) => {
    const { workspace_id, user_id } = params;
    const errors = (['workspace_id', 'user_id'] as const).flatMap((name): FieldError[] =>
      body[name] !== undefined && body[name] !== params[name]
        ? [{ pointer: `/body/${name}`, detail: 'Must equal that of the path' }]
        : [],
    );
    if (errors.length > 0) throw new Failure('invalid_request', { errors });
    const [{ workspace }, member, user] = await Promise.all([
      authorize(caller, 'member:change-role', workspace_id),
      getMember(workspace_id, user_id),
      getUser(caller.project_id, user_id),
    ]);
    if (!member || !user) throw notFound();
    match?.(member, viewMember(member));
    if (workspace.owner_id === user_id) throw new Failure('owner_role_fixed');
    const view = ({ role }: MemberItem) => ({ ...viewUser(user), role });
    if (member.role === body.role) return view(member);
    return changeRole(workspace, member, body.role, now, managerOf(caller)).as(view);
  },
);
