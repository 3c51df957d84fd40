import { and } from '../db/condition.ts';
import type { UserItem } from '../identity/users.ts';
import { domainOf } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
import type { NewMembership } from './add-member.ts';
import { allowsDomain, domainsUnchanged } from './allowed-domains.ts';
import { modeOf } from './domain-modes.ts';
import { isFor } from './invitations.ts';
import type { InvitationItem, WorkspaceItem } from './items.ts';
import {
  getJoinLink,
  isUsable,
  type JoinLinkItem,
  linkStillValid,
  useJoinLink,
} from './join-links.ts';
import { isTokenOf, readJoinToken } from './join-token.ts';
import { getMember } from './members.ts';

/**
 * How a user is admitted: the role, the condition that must hold at the commit, and the writes that go with the
 * membership.
 */
export type Admission = Pick<
  NewMembership,
  'role' | 'via' | 'manager' | 'condition' | 'writes' | 'link_id'
>;

/**
 * Finds the join link of a token, if it belongs to this workspace and its creator is still an active admin there: a
 * removed admin must not return by their own link. Does not check whether the link is usable (`admitByJoinLink` does).
 */
export async function findJoinLink(
  token: string,
  workspace_id: string,
): Promise<JoinLinkItem | undefined> {
  const named = readJoinToken(token);
  if (named?.workspace_id !== workspace_id) return undefined;
  const link = await getJoinLink(workspace_id, named.link_id);
  if (!link || !isTokenOf(named.secret, link)) return undefined;
  if (link.created_by === undefined) return link;
  const maker = await getMember(workspace_id, link.created_by);
  return maker?.role === 'admin' && maker.suspended_at === undefined ? link : undefined;
}

/**
 * Admits by a join link. If the user also has an admin invitation and has verified the invited mailbox, they become an
 * admin whatever the role of the link; without a verified mailbox, the invitation may be for another person. Throws
 * `join_link_invalid`, whatever the reason, so that a caller learns nothing about the link.
 */
export function admitByJoinLink(
  link: JoinLinkItem | undefined,
  workspace: WorkspaceItem | undefined,
  user: UserItem | undefined,
  invited: InvitationItem | undefined,
  now: Date,
): Admission {
  const domain = user?.verified.email ? domainOf(user.email) : '';
  const good =
    link &&
    workspace &&
    isUsable(link, workspace, now) &&
    // A joining user is not an admin, so they cannot be the creator of a usable link.
    !(user && link.created_by === user.uid) &&
    (!link.restrict_to_allowed_domains || workspace.allowed_domains.includes(domain));
  if (!good)
    throw new ApiError('join_link_invalid', {
      reason: 'unknown, expired, used up, revoked or restricted',
    });
  const conditions = [
    ...linkStillValid(link),
    ...(link.restrict_to_allowed_domains ? [allowsDomain(domain)] : []),
  ];
  return {
    role: invited?.role === 'admin' && ownsInvitedMailbox(invited, user) ? 'admin' : link.role,
    via: 'join_link',
    link_id: link.link_id,
    manager: link.created_by,
    ...(conditions.length > 0 && { condition: conditions.reduce(and) }),
    writes: { link: useJoinLink(link, now) },
  };
}

/** True if the user has verified the mailbox that was invited. */
export function ownsInvitedMailbox(
  invitation: InvitationItem,
  user: UserItem | undefined,
): boolean {
  return user !== undefined && user.verified.email && isFor(invitation, user);
}

/**
 * Admits by the user's own invitation or by their e-mail domain. Both require a verified e-mail. Throws
 * `approval_required` if the domain only lets them request to join, else `forbidden`: a workspace that does not admit
 * them and one that does not exist get the same error.
 */
export function admitByInvitationOrDomain(
  workspace: WorkspaceItem | undefined,
  user: UserItem | undefined,
  invited: InvitationItem | undefined,
): Admission {
  if (!workspace || !user?.verified.email)
    throw new ApiError('forbidden', { reason: 'no such workspace, or no verified e-mail' });
  if (invited && ownsInvitedMailbox(invited, user))
    return { role: invited.role, via: 'invitation' };
  const mode = modeOf(workspace, domainOf(user.email));
  if (mode === 'off')
    throw new ApiError('forbidden', { reason: 'no invitation, and the domain is not allowed' });
  if (mode === 'suggest') throw new ApiError('approval_required');
  return { role: 'member', via: 'domain', condition: domainsUnchanged(workspace) };
}
