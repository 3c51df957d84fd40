import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { getMember } from '#shared/workspaces/members/members.ts';
import { toMemberFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(members.get, async ({ params, caller }) => {
  const { workspace_id, user_id } = params;
  const [member, { reader }] = await Promise.all([
    getMember(workspace_id, user_id),
    authorize(caller, 'member:read', workspace_id),
  ]);
  if (!member) throw notFound('no such member');
  return toMemberFor(reader)(member);
});
