/** The common parts of the transactions of memberships and invitations. */

import {
  assert,
  type Change,
  type Changes,
  change,
  type Failed,
  merged,
  update,
  type Write,
} from '../../db/change.ts';
import { absent, and, type Condition, exists, existsUndeleted, where } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { type Key, keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import type { RateLimitWrite } from '../../db/rate-limits.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { FirstVerification } from '../../identity/sign-in/credential-reset.ts';
import { type UserItem, userUnchanged } from '../../identity/users/users.ts';
import { type ErrorCode } from '../../model/error-codes.ts';
import { ApiError } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import { limits } from '../../model/limits.ts';
import { apiKeyCheck } from '../by-principal.ts';
import { type MailQuota, quotaExceeded } from '../invitations/mail-quota.ts';
import type { WorkspaceItem } from '../items.ts';
import type { OfferEnd } from '../ownership.ts';
import { ifWorkspaceGone } from '../workspaces.ts';

/** A counter of a workspace, its maximum, and the error when it is exceeded. */
type Limit = {
  counter: 'total_member_count' | 'pending_member_count';
  max: number;
  code: ErrorCode;
};
export const memberLimit: Limit = {
  counter: 'total_member_count',
  max: limits.membersPerWorkspace,
  code: 'member_limit_reached',
};
export const invitationLimit: Limit = {
  counter: 'pending_member_count',
  max: limits.invitationsPerWorkspace,
  code: 'invitation_limit_reached',
};

/** Updates an existing workspace and adds the events to it. */
export function workspaceUpdate(
  workspace_id: string,
  changes: Changes,
  events: EventDraft[],
  condition?: Condition,
): Write<WorkspaceItem> {
  const required = and(existsUndeleted, condition);
  return update(keys.workspace(workspace_id), withEvents(changes, ...events), required);
}

/** True while the counter has room for `more`. */
export const belowLimit = ({ counter, max }: Limit, more: number): Condition =>
  where(`#${counter} <= :room`, { room: max - more });

/**
 * Updates the workspace of a member who is not the owner. Ends the ownership offer to that member, if the change makes
 * them ineligible.
 */
export const workspaceUpdateForMember = (
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  changes: Changes,
  event: EventDraft,
  { changes: more = {}, events = [], condition }: Partial<OfferEnd> = {},
): Write<WorkspaceItem> =>
  workspaceUpdate(
    workspace_id,
    merged(changes, more),
    [event, ...events],
    and(notOwner(user_id), condition),
  );

/** True while the user is not the owner. */
const notOwner = (uid: string): Condition => where('#owner_id <> :owner', { owner: uid });

/** What `changeInWorkspace` needs to name the error when a condition fails. */
type Options = {
  limit?: Limit & { more: number };
  mailed?: MailQuota;
  rate?: RateLimitWrite | undefined;
};

/** The writes of a change in a workspace. */
type WritesInWorkspace = Record<string, Write | undefined> & {
  workspace: Write<WorkspaceItem>;
  user?: Write<UserItem> | undefined;
};

/**
 * Changes what belongs to a workspace, together with the workspace, in one transaction. Refused with `unauthenticated`
 * if the API key that acts has ended, `not_found` if the workspace does not exist, the error of the limit that is
 * reached, `workspace_limit_reached`, or `too_many_requests` if the daily mail quota or the rate limit is used up.
 */
export const changeInWorkspace = <R>(
  writes: WritesInWorkspace,
  result: R,
  { limit, mailed, rate }: Options = {},
): Change<R> =>
  change({ ...writes, rate: rate?.write }, result, (failed) => {
    const { workspace, user } = failed as Failed<WritesInWorkspace>;
    // To read it again would change nothing: a key that has ended stays so.
    if (apiKeyCheck in failed)
      return new ApiError('unauthenticated', { reason: 'the API key ended meanwhile' });
    const gone = ifWorkspaceGone({ workspace });
    if (gone) return gone;
    if (workspace && limit && workspace[limit.counter] + limit.more > limit.max)
      return new ApiError(limit.code);
    if (rate && 'rate' in failed) return rate.refusal;
    if (workspace && mailed && quotaExceeded(workspace, mailed))
      return new ApiError('too_many_requests', {
        retryAfter: 86_400 - (epochSeconds(currentRequest().now) % 86_400),
        detail: 'The workspace has mailed enough invitations for today',
      });
    if (user && user.workspace_count >= limits.workspacesPerUser)
      return new ApiError('workspace_limit_reached');
    return undefined;
  });

/** Fails the transaction if the item exists. */
export const mustNotExist = (key: Key): Write => assert(key, absent);

/**
 * Fails the transaction if the user changed since read. The stored profile copy is then current, and a later change
 * finds it by the index and refreshes it.
 */
export const assertUserUnchanged = (user: UserItem): Write<UserItem> =>
  assert(keys.user(user.uid), userUnchanged(user));

/**
 * Like `assertUserUnchanged`, and increments the user's memberships up to their limit, or another one. With `proof`,
 * also verifies the user's e-mail.
 */
export const incrementMemberships = (
  user: UserItem,
  proof?: FirstVerification,
  most: number = limits.workspacesPerUser,
): Write<UserItem> => {
  const room = where('#workspace_count < :most', { most });
  const { changes = {}, condition = userUnchanged(user) } = proof ?? {};
  const joined = merged(changes, { increment: { workspace_count: 1 } });
  return update(keys.user(user.uid), joined, and(condition, room));
};

/** Decrements the user's memberships. */
export const decrementMemberships = (uid: string): Write<UserItem> =>
  update(keys.user(uid), { increment: { workspace_count: -1 } }, exists);
