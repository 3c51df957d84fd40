import { and } from '../db/change.ts';
import type { UserItem } from '../identity/users.ts';
import { domainOf } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
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
import { getMember, type NewMembership } from './members.ts';

/** What lets a user in: with which role, and what must hold and is counted when they are stored. */
export type Admission = Pick<
  NewMembership,
  'role' | 'via' | 'manager' | 'condition' | 'writes' | 'link_id'
>;

/**
 * The link that a token is of, if it leads into this workspace and whoever made it is an admin there still: whoever was
 * removed must not come back by their own. Whether it is good otherwise is another question.
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
 * By a join link. An invitation that offers more is not made less by it, where the e-mail that was invited is proven to
 * be the user's: else whoever has it might be somebody else. Throws `join_link_invalid`, whatever the reason.
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
    // Whoever is about to join is no admin, so no maker of a good link.
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

/** Whether the mailbox that was invited is proven to be the user's. */
export function ownsInvitedMailbox(
  invitation: InvitationItem,
  user: UserItem | undefined,
): boolean {
  return user !== undefined && user.verified.email && isFor(invitation, user);
}

/**
 * By a person's own invitation or the domain of their e-mail, either only once the e-mail is proven to be theirs.
 * Throws `approval_required` where the domain lets them ask, else `forbidden`: a workspace without a way in for them
 * and one that does not exist are the same.
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
