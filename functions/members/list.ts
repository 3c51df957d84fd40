import { authorize } from '#shared/auth/standing.ts';
import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { limits } from '#shared/limits.ts';
import { listMembers } from '#shared/table/members.ts';
import { viewListedMember } from '#shared/views.ts';

export const handler = endpoint(members.list, async ({ params, query, caller, page }) => {
  const { workspace_id } = params;
  const { status } = query;
  const action = status === 'accepted' ? 'member:list-accepted' : 'member:list-pending';
  // The page is read beside the standing, and thrown away with it if the caller may not see it; but a far offset,
  // whose cost grows with it, only for someone who may.
  const standing = authorize(caller, action, workspace_id);
  if (page.offset > limits.page.max) await standing;
  const [{ workspace }, { members: listed, more }] = await Promise.all([
    standing,
    listMembers(workspace_id, status, page),
  ]);
  const total =
    status === 'accepted' ? workspace.total_member_count : workspace.pending_member_count;
  const result = listed.map(viewListedMember);
  return reply(
    { total, count: result.length, result },
    { next: more ? listed.at(-1)?.user_id : undefined },
  );
});
