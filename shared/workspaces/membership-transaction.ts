import {
  and,
  assert,
  type Change,
  type Changes,
  type Condition,
  change,
  type Failed,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { withEvents } from '../db/outbox.ts';
import type { RateLimitWrite } from '../db/rate-limits.ts';
import { currentRequest } from '../db/request-context.ts';
import { type Key, keys } from '../db/schema.ts';
import type { FirstVerification } from '../identity/credential-reset.ts';
import { type UserItem, unchangedSince } from '../identity/users.ts';
import { ApiError, type ErrorCode, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import type { WorkspaceItem } from './items.ts';
import type { OfferEnd } from './ownership.ts';

/** What the transactions of memberships and invitations have in common. */

/** A counter of a workspace with the most that it may be, and the failure beyond. */
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

/** Changes a workspace that exists, which tells the facts. */
export function workspaceUpdate(
  workspace_id: string,
  changes: Changes,
  facts: EventDraft[],
  condition?: Condition,
): Write<WorkspaceItem> {
  const exists = where('attribute_exists(#pk) AND attribute_not_exists(#deleted_at)');
  const held = condition ? and(exists, condition) : exists;
  return update(keys.workspace(workspace_id), withEvents(changes, ...facts), held);
}

/** Holds while there is room for so many more. */
export const belowLimit = ({ counter, max: most }: Limit, more: number): Condition =>
  where(`#${counter} <= :room`, { room: most - more });

/** So many mails that go out for a workspace on one day (UTC), as its item counts them. */
type MailQuota = { changes: Changes; condition: Condition; day: string; count: number };

/** Counts mails to strangers on the workspace that sends them: nobody's workspace is a relay for spam. */
export function mailQuota(workspace: WorkspaceItem, count: number, now: Date): MailQuota {
  const today = now.toISOString().slice(0, 10);
  // A machine whose clock is ahead may have begun the next day.
  const begun = workspace.mail_day !== undefined && workspace.mail_day >= today;
  const day = begun ? String(workspace.mail_day) : today;
  const most = { most_mailed: limits.invitationMailsPerDay - count };
  if (count === 0) return { changes: {}, condition: where('attribute_exists(#pk)'), day, count };
  return begun
    ? {
        changes: { add: { mailed_count: count } },
        condition: where('#mail_day = :day AND #mailed_count <= :most_mailed', { day, ...most }),
        ...{ day, count },
      }
    : {
        changes: { set: { mail_day: day, mailed_count: count } },
        condition: where('attribute_not_exists(#mail_day) OR #mail_day < :day', { day }),
        ...{ day, count },
      };
}

/** Changes the workspace of a member who does not own it; the offer to whom no longer may ends with it. */
export const workspaceUpdateForMember = (
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  changes: Changes,
  fact: EventDraft,
  { changes: more, facts = [], condition }: Partial<OfferEnd> = {},
): Write<WorkspaceItem> =>
  workspaceUpdate(
    workspace_id,
    { ...changes, ...more },
    [fact, ...facts],
    condition ? and(notOwner(user_id), condition) : notOwner(user_id),
  );

/** Holds while the user does not own the workspace. */
const notOwner = (uid: string): Condition => where('#owner_id <> :owner', { owner: uid });

/** What a refusal is to be told by. */
type Options = {
  limit?: Limit & { more: number };
  mailed?: MailQuota;
  rate?: RateLimitWrite | undefined;
};

/** The writes of a membership or an invitation. */
type MembershipWrites = Record<string, Write | undefined> & {
  workspace: Write<WorkspaceItem>;
  user?: Write<UserItem> | undefined;
};

/**
 * A change of memberships or invitations. Refused with `not_found` where the workspace is gone, with the failure of a
 * limit that is reached, or with `too_many_requests` where it has mailed enough for the day or the rate is used up.
 */
export const changeMemberships = <R>(
  writes: MembershipWrites,
  result: R,
  { limit, mailed, rate }: Options = {},
): Change<R> =>
  change({ ...writes, rate: rate?.write }, result, (failed) => {
    const { workspace, user } = failed as Failed<MembershipWrites>;
    if (workspace === null || workspace?.deleted_at !== undefined)
      return notFound('the workspace was deleted meanwhile');
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

const quotaExceeded = (
  { mail_day, mailed_count = 0 }: WorkspaceItem,
  { day, count }: MailQuota,
): boolean => mail_day === day && mailed_count + count > limits.invitationMailsPerDay;

/** Holds the rest of a transaction to there being no such item. */
export const mustNotExist = (key: Key): Write => assert(key, where('attribute_not_exists(#pk)'));

/** Holds the copied profile to the user's current one: a change that comes later finds the copy and refreshes it. */
export const userUnchanged = (user: UserItem): Write<UserItem> =>
  assert(keys.user(user.uid), unchangedSince(user));

/** As `userUnchanged`, and counts one more membership of the user, who has room for it; perhaps with a proof of the e-mail. */
export const incrementMemberships = (
  user: UserItem,
  proof?: FirstVerification,
): Write<UserItem> => {
  const room = where('#workspace_count < :most', { most: limits.workspacesPerUser });
  const { changes = {}, condition = unchangedSince(user) } = proof ?? {};
  const joined = { ...changes, increment: { workspace_count: 1 } };
  return update(keys.user(user.uid), joined, and(condition, room));
};

/** Counts one membership of a user less. */
export const decrementMemberships = (uid: string): Write<UserItem> =>
  update(keys.user(uid), { increment: { workspace_count: -1 } }, where('attribute_exists(#pk)'));

/** Holds the rest of a transaction to the right of the person who acts; nothing for a project's back end. */
export function requireAdmin(workspace_id: string, manager: string | undefined): Write | undefined {
  if (manager === undefined) return undefined;
  return assert(
    keys.member(workspace_id, manager),
    where('#role = :admin AND attribute_not_exists(#suspended_at)', { admin: 'admin' }),
  );
}
