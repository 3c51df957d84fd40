import { ownership } from '#shared/contract/ownership.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { endOffer } from '#shared/workspaces/ownership.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(ownership.end, async ({ params, caller, now }) => {
  const { workspace, principal } = await authorize(caller, 'ownership:end', params.workspace_id);
  const { offered_to, owner_id } = workspace;
  if (offered_to === undefined) return toWorkspace(workspace, caller.project);
  const person = principal?.uid;
  if (person !== undefined && person !== owner_id && person !== offered_to)
    throw new ApiError('forbidden', { detail: 'The workspace is offered to somebody else' });
  return endOffer(workspace, now).as((ended) => toWorkspace(ended, caller.project));
});
