import { authorize } from '#shared/auth/standing.ts';
import { ownership } from '#shared/contract/ownership.ts';
import { Failure, notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getMember } from '#shared/table/members.ts';
import { hasAccepted, isOfferedTo, transferOwnership } from '#shared/table/ownership.ts';
import { getUser } from '#shared/table/users.ts';
import { getWorkspace } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(ownership.accept, async ({ params, caller, now }) => {
  const { workspace_id } = params;
  const { project_id, project, uid } = caller;
  const authorized = authorize(caller, 'ownership:accept', workspace_id);
  const [found, member, user] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getMember(workspace_id, uid),
    getUser(project_id, uid),
    authorized.catch(() => {}),
  ]);
  // The owner has nothing to accept, but for the second click of whoever has just become it.
  if (found && hasAccepted(found, uid)) return viewWorkspace(found, project);
  const { workspace } = await authorized;
  if (workspace.offered_to === undefined || !member || !user) throw notFound();
  if (!isOfferedTo(workspace, member)) throw new Failure('forbidden');
  return transferOwnership(workspace, member, user, now, true).as((owned) =>
    viewWorkspace(owned, project),
  );
});
