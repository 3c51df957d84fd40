import { authorize } from '#shared/auth/standing.ts';
import { ownership } from '#shared/contract/ownership.ts';
import { Failure, notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getMember } from '#shared/table/members.ts';
import type { WorkspaceItem } from '#shared/table/workspaces.ts';
import {
  isEligible,
  isOfferedTo,
  offerOwnership,
  transferOwnership,
} from '#shared/table/ownership.ts';
import { getUser } from '#shared/table/users.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(ownership.offer, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { user_id } = body;
  const [{ workspace }, member, user] = await Promise.all([
    authorize(caller, 'ownership:offer', workspace_id),
    getMember(workspace_id, user_id),
    caller.kind === 'project' ? getUser(caller.project_id, user_id) : undefined,
  ]);
  if (!member) throw notFound();
  const owns = workspace.owner_id === user_id;
  if (!owns && !isEligible(member)) throw new Failure('ownership_needs_admin');
  const offered = caller.kind === 'person' && isOfferedTo(workspace, member);
  const view = (item: WorkspaceItem) => viewWorkspace(item, caller.project);
  if (owns || offered) return view(workspace);
  if (caller.kind === 'person') return offerOwnership(workspace, member, now).as(view);
  if (!user) throw notFound();
  return transferOwnership(workspace, member, user, now, false).as(view);
});
