import { and } from '../../db/condition.ts';
import type { UserItem } from '../../identity/users/users.ts';
import { domainOf } from '../../model/email.ts';
import { ApiError } from '../../model/errors.ts';
import { isBuiltIn, isOwnRole } from '../../model/fields.ts';
import {
  getRolesToGive,
  grantedToPrincipal,
  mayGiveByLink,
  type Principal,
  standingIn,
} from '../../roles/principal.ts';
import type { Roles } from '../../roles/stored.ts';
import { allowsDomain, domainsUnchanged } from '../domains/allowed-domains.ts';
import { modeOf } from '../domains/modes.ts';
import { isFor } from '../invitations/invitations.ts';
import {
  type InvitationItem,
  type MemberItem,
  notRestoredSince,
  type WorkspaceItem,
} from '../items.ts';
import type { NewMembership } from '../members/add-member.ts';
import { getMember } from '../members/members.ts';
import { profileOf } from '../members/profile-projection.ts';
import { getJoinLink, isUsableLink, type JoinLinkItem, useJoinLink } from './join-links.ts';
import { isTokenOf, readJoinToken } from './join-token.ts';

/**
 * How a user is admitted: the role, the condition that must hold at the commit, and the writes that go with the
 * membership.
 */
export type Admission = Pick<
  NewMembership,
  'role' | 'via' | 'principal' | 'condition' | 'writes' | 'link_id'
>;

/** A join link, with what decides whether it is still good. */
export type FoundLink = {
  link: JoinLinkItem;
  /** The membership of the person who created it. */
  maker: MemberItem | undefined;
  /** Read where the link or its maker has a role that the project or the workspace defines. */
  roles: Roles | undefined;
};

/**
 * Finds the join link of a token, if it belongs to this workspace. Does not check whether it is usable
 * (`admitByJoinLink` does).
 */
export async function findJoinLink(
  token: string,
  project_id: string,
  workspace_id: string,
): Promise<FoundLink | undefined> {
  const named = readJoinToken(token);
  if (named?.workspace_id !== workspace_id) return undefined;
  const link = await getJoinLink(workspace_id, named.link_id);
  if (!link || !isTokenOf(named.secret, link)) return undefined;
  const [maker, shared] = await Promise.all([
    link.created_by === undefined ? undefined : getMember(workspace_id, link.created_by),
    getRolesToGive(project_id, workspace_id, link.role),
  ]);
  const roles =
    maker && (!shared || isOwnRole(maker.role))
      ? await getRolesToGive(project_id, workspace_id, link.role, maker.role)
      : shared;
  return { link, maker, roles };
}

/**
 * The maker of a link, if a person made it. Undefined if they may no longer make links: an admin who was removed or
 * disabled must not return by their own link.
 */
function makerOf(workspace: WorkspaceItem, { maker, roles }: FoundLink): Principal | undefined {
  const standing = standingIn(workspace, maker);
  // The copy of the profile says it a second or so later, and costs no further read.
  if (!maker || !standing || profileOf(maker).disabled) return undefined;
  const { user_id: uid, role } = maker;
  const principal = { uid, standing, role, roles: isBuiltIn(role) ? undefined : roles };
  const may = standing !== 'member' || grantedToPrincipal(principal)?.has('join-link:create');
  return may ? principal : undefined;
}

/**
 * Admits by a join link. If the user also has an invitation with a role other than `member` and has verified the
 * invited mailbox, they get that role, unless the link makes admins; without a verified mailbox, the invitation may be
 * for another person. Throws `join_link_invalid`, whatever the reason, so that a caller learns nothing about the link.
 */
export function admitByJoinLink(
  found: FoundLink | undefined,
  workspace: WorkspaceItem | undefined,
  user: UserItem | undefined,
  invited: InvitationItem | undefined,
  now: Date,
): Admission {
  const domain = user?.verified.email ? domainOf(user.email) : '';
  const link = found?.link;
  const maker = workspace && found && makerOf(workspace, found);
  const good =
    link &&
    workspace &&
    isUsableLink(link, workspace, now) &&
    (link.created_by === undefined || maker) &&
    mayGiveByLink(maker, link.role, found.roles) &&
    // A joining user is not a member, so they cannot be the creator of a usable link.
    !(user && link.created_by === user.uid) &&
    (!link.restrict_to_allowed_domains || workspace.allowed_domains.includes(domain));
  if (!good)
    throw new ApiError('join_link_invalid', {
      reason: 'unknown, expired, used up, revoked or restricted',
    });
  return {
    role: higherRole(link, invited && ownsInvitedMailbox(invited, user) ? invited : undefined),
    via: 'join_link',
    link_id: link.link_id,
    principal: maker,
    condition: and(
      notRestoredSince(workspace),
      link.restrict_to_allowed_domains ? allowsDomain(domain) : undefined,
    ),
    writes: { link: useJoinLink(link, now) },
  };
}

/** Of two roles `member` is the lower and `admin` the higher; of two others the invitation is meant for this person. */
const higherRole = (link: JoinLinkItem, invited: InvitationItem | undefined): string =>
  !invited || invited.role === 'member' || link.role === 'admin' ? link.role : invited.role;

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
