import { authorize } from '#shared/auth/standing.ts';
import { members } from '#shared/contract/members.ts';
import { notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getMember } from '#shared/table/members.ts';
import { viewMember } from '#shared/views.ts';

export const handler = endpoint(members.get, async ({ params, caller }) => {
  const { workspace_id, user_id } = params;
  const [member] = await Promise.all([
    getMember(workspace_id, user_id),
    authorize(caller, 'member:read', workspace_id),
  ]);
  if (!member) throw notFound();
  return viewMember(member);
});
