import { ownership } from '#shared/contract/ownership.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { Failure } from '#shared/model/errors.ts';
import { authorize, managerOf } from '#shared/workspaces/authorize.ts';
import { endOffer } from '#shared/workspaces/ownership.ts';
import { viewWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(ownership.end, async ({ params, caller, now }) => {
  const { workspace } = await authorize(caller, 'ownership:end', params.workspace_id);
  const { offered_to, owner_id } = workspace;
  if (offered_to === undefined) return viewWorkspace(workspace, caller.project);
  const person = managerOf(caller);
  if (person !== undefined && person !== owner_id && person !== offered_to)
    throw new Failure('forbidden', { detail: 'The workspace is offered to somebody else' });
  return endOffer(workspace, now).as((ended) => viewWorkspace(ended, caller.project));
});
