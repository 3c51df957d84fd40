import { ownership } from '#shared/contract/ownership.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { getMember } from '#shared/workspaces/members/members.ts';
import { hasAccepted, isOfferedTo, transferOwnership } from '#shared/workspaces/ownership.ts';
import { isCallerSingleFactor, requireSecondFactor } from '#shared/workspaces/second-factor.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { getWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(ownership.accept, async ({ params, caller, now }) => {
  const { workspace_id } = params;
  const { project_id, project, uid } = caller;
  const authorized = authorize(caller, 'ownership:accept', workspace_id);
  const [found, member, user, , singleFactor] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getMember(workspace_id, uid),
    getUser(project_id, uid),
    authorized.catch(() => {}),
    isCallerSingleFactor(caller),
  ]);
  // The owner cannot accept, except for a repeated click by the one who just accepted.
  if (found && hasAccepted(found, uid)) {
    requireSecondFactor(found, singleFactor);
    return toWorkspace(found, project);
  }
  const { workspace } = await authorized;
  if (workspace.offered_to === undefined || !member || !user) throw notFound('nothing is offered');
  if (!isOfferedTo(workspace, member))
    throw new ApiError('forbidden', { reason: 'offered to somebody else' });
  return transferOwnership(workspace, member, user, { accepted: true }, now).as((owned) =>
    toWorkspace(owned, project),
  );
});
