import type { UsedKey } from '../../access/caller.ts';
import { getItem } from '../../db/batch-loader.ts';
import { type Change, del, put, type Write } from '../../db/change.ts';
import { and, where } from '../../db/condition.ts';
import { byRequester } from '../../db/index-attributes.ts';
import { epochSeconds } from '../../db/item.ts';
import { joinRequestPrefix } from '../../db/key-prefixes.ts';
import { keys, workspaceIdOf } from '../../db/keys.ts';
import { query } from '../../db/query.ts';
import type { UserItem } from '../../identity/users/users.ts';
import type { EventDraft } from '../../model/events.ts';
import { lifetimes, limits } from '../../model/limits.ts';
import type { Principal } from '../../roles/principal.ts';
import { byPrincipal, keyChecks } from '../by-principal.ts';
import { allowsDomain } from '../domains/allowed-domains.ts';
import { generationOf, notRestoredSince, type WorkspaceItem } from '../items.ts';
import {
  assertUserUnchanged,
  changeInWorkspace,
  mustNotExist,
  workspaceUpdate,
} from '../members/membership-transaction.ts';
import { getWorkspace } from '../workspaces.ts';
import {
  absentOrEnded,
  isLiveItem,
  type LimitedCollection,
  type LimitedItem,
  listStored,
  reserveSlot,
} from './limited-collection.ts';

/** A user's request to become a member. */
export type JoinRequestItem = LimitedItem & {
  workspace_id: string;
  project_id: string;
  user_id: string;
  message?: string;
  created_at: string;
};

const requests: LimitedCollection = {
  prefix: joinRequestPrefix,
  counter: 'join_request_count',
  max: limits.joinRequestsPerWorkspace,
  code: 'join_request_limit_reached',
};

/** The join request of a user, live or ended, or undefined. */
export const getJoinRequest = (
  workspace_id: string,
  uid: string,
): Promise<JoinRequestItem | undefined> =>
  getItem<JoinRequestItem>(keys.joinRequest(workspace_id, uid));

/** The live join requests, oldest first. At most 1,000. */
export async function listJoinRequests(
  workspace: WorkspaceItem,
  now: Date,
): Promise<JoinRequestItem[]> {
  const stored = await listStored<JoinRequestItem>(workspace.workspace_id, joinRequestPrefix);
  const position = positionOfJoinRequest;
  return stored
    .filter((request) => isLiveItem(request, workspace, now))
    .sort((a, b) => (position(a) < position(b) ? -1 : 1));
}

/** The sort position of a request: by creation time, then user. */
export const positionOfJoinRequest = ({ created_at, user_id }: JoinRequestItem): string =>
  `${created_at} ${user_id}`;

/**
 * The workspaces that a user has requested to join, at most 100. The index finds them; the consistent read of the table
 * decides.
 */
export async function listJoinRequestsOfUser(
  project_id: string,
  uid: string,
  now: Date,
): Promise<{ workspace: WorkspaceItem; request: JoinRequestItem }[]> {
  const { items } = await query({
    index: 'by-member',
    partition: keys.user(uid).pk,
    prefix: joinRequestPrefix,
    limit: limits.page.max,
  });
  const read = await Promise.all(
    items.map(workspaceIdOf).map(async (id) => {
      const [workspace, request, member] = await Promise.all([
        getWorkspace(project_id, id),
        getJoinRequest(id, uid),
        getItem(keys.member(id, uid)),
      ]);
      return workspace && request && isLiveItem(request, workspace, now) && !member
        ? [{ workspace, request }]
        : [];
    }),
  );
  return read.flat();
}

/**
 * Stores a join request. The user must still have an allowed e-mail domain and not be a member. Throws
 * `join_request_limit_reached`. Refused with `not_found`.
 */
export async function addJoinRequest(
  workspace: WorkspaceItem,
  user: UserItem,
  { domain, message }: { domain: string; message?: string | undefined },
  now: Date,
): Promise<Change<JoinRequestItem>> {
  const { workspace_id, project_id } = workspace;
  const { uid } = user;
  const request: JoinRequestItem = {
    ...keys.joinRequest(workspace_id, uid),
    ...byRequester(uid, workspace_id),
    workspace_id,
    project_id,
    user_id: uid,
    ...(message !== undefined && { message }),
    ...generationOf(workspace),
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + lifetimes.joinRequest,
  };
  const { changes, condition } = await reserveSlot(workspace, requests, now);
  return changeInWorkspace(
    {
      workspace: workspaceUpdate(
        workspace_id,
        changes,
        [eventOf('created', request)],
        and(condition, notRestoredSince(workspace), allowsDomain(domain)),
      ),
      request: put(request, absentOrEnded(workspace, now)),
      member: mustNotExist(keys.member(workspace_id, uid)),
      user: assertUserUnchanged(user),
    },
    request,
  );
}

/** Ends a join request: the user withdraws it, or an admin refuses it. Refused with `not_found`. */
export function endJoinRequest(
  request: JoinRequestItem,
  by:
    | { withdrawn: true; key: UsedKey | undefined }
    | { withdrawn: false; principal: Principal | undefined },
): Change<JoinRequestItem> {
  const { workspace_id, user_id } = request;
  const event = eventOf(by.withdrawn ? 'withdrawn' : 'refused', request);
  const writes = {
    workspace: workspaceUpdate(workspace_id, { increment: { join_request_count: -1 } }, [event]),
    ...joinRequestDeletion(request),
  };
  return changeInWorkspace(
    by.withdrawn
      ? { ...writes, ...keyChecks(keys.user(user_id), by.key) }
      : byPrincipal(writes, workspace_id, by.principal),
    request,
  );
}

/**
 * The write that deletes the join request of a user who becomes a member, in the same transaction. The workspace's
 * counter keeps it, as it keeps an expired one.
 */
export function joinRequestDeletion(request: JoinRequestItem | undefined): Record<string, Write> {
  if (!request) return {};
  const { pk, sk, created_at } = request;
  return { request: del({ pk, sk }, where('#created_at = :created_at', { created_at })) };
}

const eventOf = (
  what: 'created' | 'refused' | 'withdrawn',
  { user_id }: JoinRequestItem,
): EventDraft => ({
  type: `workspace.join_request.${what}`,
  data: { user_id },
});
