import { members } from '#shared/contract/members.ts';
import { domainOf } from '#shared/email.ts';
import { Failure, notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { getInvitation, isOpen } from '#shared/table/invitations.ts';
import { addMember, getMember } from '#shared/table/members.ts';
import { getUser, type UserItem } from '#shared/table/users.ts';
import { getWorkspace, ownerOf, type WorkspaceItem } from '#shared/table/workspaces.ts';
import { where } from '#shared/table/write.ts';
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
  const invited = invitation && isOpen(invitation, now) ? invitation : undefined;
  const domain = workspace && user && allowedDomainOf(user, workspace);
  // Whoever has not proven their e-mail may be somebody else than who was invited.
  const open = member ?? (user?.verified.email ? (invited ?? domain) : undefined);
  if (caller.kind === 'person' && (!workspace || !open)) throw new Failure('forbidden');
  if (!workspace || !user) throw notFound();
  if (caller.kind === 'person' && member?.suspended_at !== undefined)
    throw new Failure('membership_suspended');
  if (member) return reply(viewMember(member), { status: 200 });
  const byDomain = caller.kind === 'person' && !invited ? domain : undefined;
  const entry = {
    workspace,
    user,
    invitation,
    role: invited?.role ?? 'member',
    inviter: ownerOf(workspace),
    via: invited ? 'invitation' : byDomain === undefined ? undefined : 'domain',
    condition: byDomain === undefined ? undefined : stillAllowed(byDomain),
  } as const;
  return viewMember(await addMember(entry, now));
});

/** Exact match only: a subdomain belongs to somebody else. */
function allowedDomainOf({ email }: UserItem, workspace: WorkspaceItem): string | undefined {
  const domain = domainOf(email);
  return workspace.allowed_domains.includes(domain) ? domain : undefined;
}

const stillAllowed = (domain: string) => where('contains(#allowed_domains, :domain)', { domain });
