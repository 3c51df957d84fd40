import { authorize, managerOf } from '#shared/auth/standing.ts';
import { ownership } from '#shared/contract/ownership.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { endOffer } from '#shared/table/ownership.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(ownership.end, async ({ params, caller, now }) => {
  const { workspace } = await authorize(caller, 'ownership:end', params.workspace_id);
  const { offered_to, owner_id } = workspace;
  if (offered_to === undefined) return viewWorkspace(workspace, caller.project);
  const person = managerOf(caller);
  if (person !== undefined && person !== owner_id && person !== offered_to)
    throw new Failure('forbidden', { detail: 'The workspace is offered to somebody else' });
  return endOffer(workspace, now).as((ended) => viewWorkspace(ended, caller.project));
});
