import { roles } from '#shared/contract/roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { isOwnRole } from '#shared/model/fields.ts';
import { getRolesIn } from '#shared/roles/own-roles.ts';
import { isAssignable, isAssignableByLink } from '#shared/roles/principal.ts';
import { toRoles } from '#shared/roles/views.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(roles.listOfWorkspace, async ({ params, caller }) => {
  const [{ principal }, stored] = await Promise.all([
    authorize(caller, 'role:list', params.workspace_id),
    getRolesIn(caller.project_id, params.workspace_id),
  ]);
  const listed = toRoles(stored.definitions).filter(({ role }) => role !== 'owner');
  return replyPage(
    listed.map((each) => ({
      ...each,
      own: isOwnRole(each.role),
      assignable: isAssignable(principal, each.role, stored),
      assignable_by_link: isAssignableByLink(principal, each.role, stored),
    })),
  );
});
