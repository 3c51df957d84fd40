import { ownership } from '#shared/contract/ownership.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';
import { getMember } from '#shared/workspaces/members/members.ts';
import {
  isEligible,
  isOfferedTo,
  offerOwnership,
  transferOwnership,
} from '#shared/workspaces/ownership.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(ownership.offer, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { user_id } = body;
  const [{ workspace }, member, user] = await Promise.all([
    authorize(caller, 'ownership:offer', workspace_id),
    getMember(workspace_id, user_id),
    caller.kind === 'project' ? getUser(caller.project_id, user_id) : undefined,
  ]);
  if (!member) throw notFound('no such member');
  const owns = workspace.owner_id === user_id;
  if (!owns && !isEligible(member)) throw new ApiError('ownership_needs_admin');
  const offered = caller.kind === 'person' && isOfferedTo(workspace, member);
  const view = (item: WorkspaceItem) => toWorkspace(item, caller.project);
  if (owns || offered) return view(workspace);
  if (caller.kind === 'person') return offerOwnership(workspace, member, now).as(view);
  if (!user) throw notFound('no such user');
  return transferOwnership(workspace, member, user, { accepted: false }, now).as(view);
});
