import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { domainOf } from '#shared/model/email.ts';
import { isFor } from '#shared/workspaces/invitations/invitations.ts';
import { listJoinRequestsOfUser } from '#shared/workspaces/joining/join-requests.ts';
import {
  findByDomain,
  listInvitationsOfUser,
  listJoinableByDomain,
} from '#shared/workspaces/members/user-workspaces.ts';
import {
  toRequestedWorkspace,
  toSameDomainWorkspace,
  toWorkspace,
} from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.listInvited, async ({ caller, page, now }) => {
  const { project_id, project, uid, claimed } = caller;
  // The e-mail in the token allows an earlier lookup of the domain; only the e-mail of the user decides.
  const claimedDomain = claimed.email_verified ? domainOf(claimed.email) : undefined;
  // Only in the first page: the other two lists fit into it, and must not be repeated.
  const isFirst = page.after === undefined;
  const lookAhead = claimedDomain && isFirst ? findByDomain(project_id, claimedDomain) : undefined;
  const [{ invited, next }, open, requested] = await Promise.all([
    listInvitationsOfUser(project_id, uid, page, now),
    getUser(project_id, uid).then(async (user) => {
      const domain = user?.verified.email ? domainOf(user.email) : undefined;
      if (!user || domain === undefined || !isFirst)
        return { user, domain: '', workspaces: [], more: false };
      const found = domain === claimedDomain ? lookAhead : undefined;
      const { ids, more } = await (found ?? findByDomain(project_id, domain));
      return { user, domain, workspaces: await listJoinableByDomain(user, domain, ids, now), more };
    }),
    isFirst ? listJoinRequestsOfUser(project_id, uid, now) : [],
    lookAhead,
  ]);
  // The user must not see invitations to a mailbox that they no longer have.
  const { user } = open;
  const theirs = invited.filter(({ invitation }) => user && isFor(invitation, user));
  const lists = {
    invited_workspaces: theirs.map(({ workspace, invitation }) => ({
      ...toWorkspace(workspace, project),
      inviter_email: invitation.inviter_email,
    })),
    same_domain_workspaces: open.workspaces.map((workspace) =>
      toSameDomainWorkspace(workspace, open.domain),
    ),
    ...(open.more && { more_same_domain_workspaces: true }),
    requested_workspaces: requested.map(({ workspace, request }) =>
      toRequestedWorkspace(workspace, request.created_at),
    ),
  };
  return reply(lists, { next });
});
