import { both } from '../db/change.ts';
import type { UserItem } from '../identity/users.ts';
import { domainOf } from '../model/email.ts';
import { Failure } from '../model/errors.ts';
import { allows, domainsAsRead } from './allowed-domains.ts';
import { modeOf } from './domain-modes.ts';
import { isFor } from './invitations.ts';
import type { InvitationItem, WorkspaceItem } from './items.ts';
import {
  getJoinLink,
  isUsable,
  type JoinLinkItem,
  stillGood,
  usingJoinLink,
} from './join-links.ts';
import { isTokenOf, readJoinToken } from './join-token.ts';
import { type Entry, getMember } from './members.ts';

/** What lets a user in: with which role, and what must hold and is counted when they are stored. */
export type WayIn = Pick<Entry, 'role' | 'via' | 'manager' | 'condition' | 'writes' | 'link_id'>;

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
export function byJoinLink(
  link: JoinLinkItem | undefined,
  workspace: WorkspaceItem | undefined,
  user: UserItem | undefined,
  invited: InvitationItem | undefined,
  now: Date,
): WayIn {
  const domain = user?.verified.email ? domainOf(user.email) : '';
  const good =
    link &&
    workspace &&
    isUsable(link, workspace, now) &&
    // Whoever is about to join is no admin, so no maker of a good link.
    !(user && link.created_by === user.uid) &&
    (!link.restrict_to_allowed_domains || workspace.allowed_domains.includes(domain));
  if (!good) throw new Failure('join_link_invalid');
  const conditions = [
    ...stillGood(link),
    ...(link.restrict_to_allowed_domains ? [allows(domain)] : []),
  ];
  return {
    role: invited?.role === 'admin' && isProvenInvitee(invited, user) ? 'admin' : link.role,
    via: 'join_link',
    link_id: link.link_id,
    manager: link.created_by,
    ...(conditions.length > 0 && { condition: conditions.reduce(both) }),
    writes: { link: usingJoinLink(link, now) },
  };
}

/** Whether the mailbox that was invited is proven to be the user's. */
export function isProvenInvitee(invitation: InvitationItem, user: UserItem | undefined): boolean {
  return user !== undefined && user.verified.email && isFor(invitation, user);
}

/**
 * By a person's own invitation or the domain of their e-mail, either only once the e-mail is proven to be theirs.
 * Throws `approval_required` where the domain lets them ask, else `forbidden`: a workspace without a way in for them
 * and one that does not exist are the same.
 */
export function byOneself(
  workspace: WorkspaceItem | undefined,
  user: UserItem | undefined,
  invited: InvitationItem | undefined,
): WayIn {
  if (!workspace || !user?.verified.email) throw new Failure('forbidden');
  if (invited && isProvenInvitee(invited, user)) return { role: invited.role, via: 'invitation' };
  const mode = modeOf(workspace, domainOf(user.email));
  if (mode === 'off') throw new Failure('forbidden');
  if (mode === 'suggest') throw new Failure('approval_required');
  return { role: 'member', via: 'domain', condition: domainsAsRead(workspace) };
}
