import { roles } from '#shared/contract/roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { isAssignable, isAssignableByLink } from '#shared/roles/manager.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { toRoles } from '#shared/roles/views.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(roles.listOfWorkspace, async ({ params, caller }) => {
  const [{ manager }, stored] = await Promise.all([
    authorize(caller, 'role:list', params.workspace_id),
    getRoles(caller.project_id),
  ]);
  const listed = toRoles(stored.definitions).filter(({ role }) => role !== 'owner');
  return replyPage(
    listed.map((each) => ({
      ...each,
      assignable: isAssignable(manager, each.role, stored),
      assignable_by_link: isAssignableByLink(manager, each.role, stored),
    })),
  );
});
