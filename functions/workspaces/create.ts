import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireUser } from '#shared/identity/users.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { createWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(workspaces.create, async ({ body, caller, now }) => {
  const owner = await requireUser(caller.project_id, body.owner_id);
  return createWorkspace(owner, body, now).as((made) => toWorkspace(made, caller.project));
});
