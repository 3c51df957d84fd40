import { members } from '#shared/contract/members.ts';
import { pageOf } from '#shared/db/page.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyFound, replyPage } from '#shared/http/reply.ts';
import { limits } from '#shared/model/limits.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { asInvited, listInvitations } from '#shared/workspaces/invitations/invitations.ts';
import { findMembers, isMemberFoundBy } from '#shared/workspaces/members/member-search.ts';
import { getMember, listMembers } from '#shared/workspaces/members/members.ts';
import { toListedMemberFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(members.list, async ({ params, query, caller, page, now }) => {
  const { workspace_id } = params;
  const { status, query: text } = query;
  const action = status === 'accepted' ? 'member:list-accepted' : 'member:list-pending';
  const authorized = authorize(caller, action, workspace_id);
  if (status === 'accepted' && text === undefined) {
    // Read in parallel with the authorization, and discarded if that fails. A far offset costs more, so it is only read
    // for an authorized caller.
    if (page.offset > limits.page.max) await authorized;
    const [{ workspace, reader }, { members: listed, more }] = await Promise.all([
      authorized,
      listMembers(workspace_id, page),
    ]);
    const result = listed.map(toListedMemberFor(reader));
    return replyPage(result, {
      total: workspace.total_member_count,
      next: more ? listed.at(-1)?.user_id : undefined,
    });
  }
  const view = toListedMemberFor((await authorized).reader);
  if (status === 'accepted') {
    const found = await findMembers(workspace_id, text ?? '');
    const { items, next } = pageOf(found.ids, page, (uid) => uid);
    const read = await Promise.all(items.map((uid) => getMember(workspace_id, uid)));
    // Search results lag for a moment: skip members who left or have another name now.
    const result = read
      .filter((member) => member !== undefined)
      .filter((member) => isMemberFoundBy(member, text ?? ''))
      .map(view);
    const total = found.ids.length - items.length + result.length;
    return replyFound(result, { total, more: found.more, next });
  }
  // The number of open invitations is limited, so they are counted by reading them.
  const pending = (await listInvitations(workspace_id, 'pending', now))
    .map(asInvited)
    .filter((invitation) => text === undefined || isMemberFoundBy(invitation, text));
  const { items, next } = pageOf(pending, page, ({ user_id }) => user_id);
  const result = items.map(view);
  return replyPage(result, { total: pending.length, next });
});
