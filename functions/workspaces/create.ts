import { workspaces } from '#shared/contract/workspaces.ts';
import { rateLimitWrite } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { requireWorkspaceOwner } from '#shared/workspaces/workspace-owner.ts';
import { createWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(workspaces.create, async ({ body, caller, now }) => {
  if (caller.kind === 'person' && body.external_id !== undefined)
    throw new ApiError('forbidden', {
      detail: "Only the project's backend gives an external id",
    });
  const owner = await requireWorkspaceOwner(caller, body.owner_id);
  const rate =
    caller.kind === 'person' ? rateLimitWrite('workspacesByOne', owner.uid, 1, now) : undefined;
  return createWorkspace(owner, body, now, rate).as((made) => toWorkspace(made, caller.project));
});
