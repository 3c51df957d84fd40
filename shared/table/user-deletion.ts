import { Failure } from '../errors.ts';
import { lifetimes, limits } from '../limits.ts';
import { StaleRead } from '../request.ts';
import { chunksOf } from './chunks.ts';
import { telling } from './facts.ts';
import { unlinkings } from './identities.ts';
import { epochSeconds } from './item.ts';
import { query } from './query.ts';
import { endingsOf, noSessionSince } from './sessions.ts';
import { archivedPrefix, type Key, keys, prefixes, workspaceIdOf } from './shape.ts';
import { asRead, isThere, type UserItem } from './users.ts';
import { deletion, livesWith } from './workspace-deletion.ts';
import { getWorkspace, type WorkspaceItem } from './workspaces.ts';
import { both, type Changes, remove, transact, update, where, type Write } from './write.ts';

/** What is left of a deleted user: nothing about the person, but that and when they were deleted. */
export type DeletedUserItem = Pick<UserItem, 'pk' | 'sk' | 'uid' | 'project_id' | 'version'> & {
  deleted_at: string;
  /** When the job was done with everything that lay elsewhere. */
  completed_at?: string;
  /** Memberships that are still to be removed. */
  workspace_count?: number;
  /** Epoch seconds until which the job waits for an index that shows fewer memberships than are counted. */
  patient_until: number;
};

/** What a deleted user's item keeps: ids and counts. */
const kept = new Set([
  ...['pk', 'sk', 'uid', 'project_id', 'version'],
  ...['events', 'event_count', 'workspace_count', 'owned_workspace_count'],
]);

/** In place of a session: whoever holds a write to the last one fails. */
const noSession = 'deleted';
/** Seconds; an index that is later than this is not waited for. */
const patience = 300;
/** DynamoDB's limit of writes in a transaction. */
const transactionLimit = 100;

export const isDeletedUser = (user: UserItem | DeletedUserItem): user is DeletedUserItem =>
  user.deleted_at !== undefined;

/**
 * Deletes a user: profile, e-mail and every way in are gone at once, with the workspaces that nobody else is in; a
 * receipt stays. What lies elsewhere follows by the stream's job. Throws `owns_workspaces` while the user owns one that
 * others are in, or `StaleRead` if the user, or what they own, has changed.
 */
export async function deleteUser(user: UserItem, now: Date): Promise<DeletedUserItem> {
  const { pk, sk, uid, project_id, version } = user;
  const owned = await findOwned(user);
  const shared = owned.filter(({ total_member_count }) => total_member_count > 1);
  if (shared.length > 0) {
    const ids = shared.map(({ workspace_id }) => workspace_id);
    throw new Failure('owns_workspaces', {
      members: { workspace_ids: ids.slice(0, limits.page.max) },
    });
  }
  const ways = {
    ...(await endingsOf(user)).writes,
    ...unlinkings(user),
    password: remove(keys.password(uid)),
    ...(user.email !== '' && { guard: remove(keys.emailGuard(project_id, user.email), ours(uid)) }),
  };
  const room = transactionLimit - 1 - Object.keys(ways).length;
  for (const some of chunksOf(owned.slice(room), transactionLimit - 1))
    await transact<string>({ ...deletions(some, uid, now), user: disowning(uid, some.length) });
  const last = owned.slice(0, room);
  const receipt = {
    deleted_at: now.toISOString(),
    patient_until: epochSeconds(now) + patience,
  };
  const changes: Changes = {
    set: { ...receipt, last_session_id: noSession, owned_workspace_count: 0 },
    add: { version: 1 },
    remove: Object.keys(user).filter((name) => !kept.has(name) && name !== 'last_session_id'),
  };
  await transact<string>({
    ...ways,
    ...deletions(last, uid, now),
    user: update(
      keys.user(uid),
      telling(changes, { type: 'user.deleted' }),
      both(both(asRead(user), noSessionSince(user)), owning(last.length)),
    ),
  });
  return { pk, sk, uid, project_id, version: version + 1, ...receipt };
}

const ours = (uid: string) => where('#uid = :uid', { uid });

const disowning = (uid: string, count: number): Write =>
  update(keys.user(uid), { count: { owned_workspace_count: -count } }, isThere);

/** Holds while a user owns so many workspaces. */
const owning = (count: number) =>
  count === 0
    ? where('attribute_not_exists(#owned_workspace_count) OR #owned_workspace_count = :count', {
        count,
      })
    : where('#owned_workspace_count = :count', { count });

/** Deletes workspaces that nobody has joined meanwhile. Nobody can restore them, so they are purged a day later. */
function deletions(alone: readonly WorkspaceItem[], uid: string, now: Date): Record<string, Write> {
  const { set, ...changes } = deletion(now);
  const { purgedWorkspace, deletedWorkspace } = lifetimes;
  const expires_at = epochSeconds(now) + purgedWorkspace - deletedWorkspace;
  const all = { ...changes, set: { ...set, owner_email: '', expires_at } };
  const held = both(livesWith(uid), where('#total_member_count = :one', { one: 1 }));
  return Object.fromEntries(
    alone.map(({ workspace_id }) => [
      `delete ${workspace_id}`,
      update(keys.workspace(workspace_id), all, held),
    ]),
  );
}

/**
 * The workspaces that a user owns. The index that finds them may be late: so they are counted. One that was restored a
 * moment ago may still be found as archived. Throws `StaleRead` while fewer, or more, are found than there are.
 */
async function findOwned(user: UserItem): Promise<WorkspaceItem[]> {
  const { project_id, uid, owned_workspace_count: count = 0 } = user;
  const found = new Map<string, WorkspaceItem>();
  for (const prefix of [prefixes.accepted, `${archivedPrefix}${prefixes.accepted}`]) {
    if (found.size === count) break;
    const { items } = await query<Key & { role: string }>({
      index: 'by-member',
      partition: keys.user(uid).pk,
      prefix,
    });
    const ids = items.filter(({ role }) => role === 'admin').map(workspaceIdOf);
    const read = await Promise.all(ids.map((id) => getWorkspace(project_id, id)));
    for (const workspace of read)
      if (workspace?.owner_id === uid) found.set(workspace.workspace_id, workspace);
  }
  if (found.size !== count) throw new StaleRead();
  return [...found.values()];
}
