import { members } from '#shared/contract/members.ts';
import { domainOf } from '#shared/email.ts';
import { Failure, notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { addMember, getInvitation, getMember } from '#shared/table/members.ts';
import { getUser, type UserItem } from '#shared/table/users.ts';
import { getWorkspace, ownerOf, type WorkspaceItem } from '#shared/table/workspaces.ts';
import { viewMember } from '#shared/views.ts';

export const handler = endpoint(members.join, async ({ body, caller, now }) => {
  const { workspace_id, user_id } = body;
  if (caller.kind === 'person' && user_id !== caller.uid)
    throw new Failure('forbidden', { detail: 'A person joins for themself only' });
  const [workspace, user, member, invitation] = await Promise.all([
    getWorkspace(caller.project_id, workspace_id),
    getUser(caller.project_id, user_id),
    getMember(workspace_id, user_id),
    getInvitation(workspace_id, user_id),
  ]);
  // To a person without a way in, a workspace that exists and one that does not are the same.
  const open = member ?? invitation ?? (workspace && user && isOfAllowedDomain(user, workspace));
  if (caller.kind === 'person' && (!workspace || !open)) throw new Failure('forbidden');
  if (!workspace || !user) throw notFound();
  if (member) return reply(viewMember(member), { status: 200 });
  const role = invitation?.role ?? 'member';
  const domain = caller.kind === 'person' && !invitation ? domainOf(user.email) : undefined;
  const entry = { workspace, user, invitation, role, inviter: ownerOf(workspace), domain };
  return viewMember(await addMember(entry, now));
});

/** Exact match only: a subdomain belongs to somebody else. */
function isOfAllowedDomain({ email, verified }: UserItem, workspace: WorkspaceItem): boolean {
  return verified.email && workspace.allowed_domains.includes(domainOf(email));
}
