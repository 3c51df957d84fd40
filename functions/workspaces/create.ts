import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireUser } from '#shared/table/users.ts';
import { createWorkspace } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.create, async ({ body, caller, now }) => {
  const owner = await requireUser(caller.project_id, body.owner_id);
  return createWorkspace(owner, body, now).as((made) => viewWorkspace(made, caller.project));
});
