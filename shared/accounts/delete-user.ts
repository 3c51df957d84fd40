import {
  and,
  type Change,
  type Changes,
  type Condition,
  change,
  del,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { query } from '../db/query.ts';
import { StaleReadError } from '../db/request-context.ts';
import { archivedPrefix, type Key, keys, prefixes, workspaceIdOf } from '../db/schema.ts';
import { maxWrites } from '../db/transaction.ts';
import { unlinkings } from '../identity/identities.ts';
import { noNewerSession, sessionDeletions } from '../identity/sessions.ts';
import { type DeletedUserItem, type UserItem, unchangedSince } from '../identity/users.ts';
import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { deletionWithOwner, ownedBy } from '../workspaces/delete-workspace.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import { getWorkspace } from '../workspaces/workspaces.ts';

/** What a deleted user's item keeps: ids and counts. */
const kept = new Set([
  ...['pk', 'sk', 'uid', 'project_id', 'version'],
  ...['events', 'event_count', 'workspace_count', 'owned_workspace_count'],
]);

/** In place of a session: whoever holds a write to the last one fails. */
const noSession = 'deleted';
/** Seconds; an index that is later than this is not waited for. */
const patience = 300;

/**
 * Deletes a user: profile, e-mail and every way in are gone at once, with the workspaces that nobody else is in; a
 * receipt stays. All or nothing; what lies elsewhere follows by the stream's job. Throws `owns_workspaces` while the
 * user owns one that others are in, or more than 40. Stale if the user, or what they own, has changed.
 */
export async function deleteUser(user: UserItem, now: Date): Promise<Change<DeletedUserItem>> {
  const { pk, sk, uid, project_id, version } = user;
  const owned = await findOwned(user);
  const shared = owned.filter(({ total_member_count }) => total_member_count > 1);
  if (shared.length > 0) throw owns(shared);
  if (owned.length > limits.workspacesDeletedWithUser) throw owns(owned, tooMany);
  const ways = {
    ...(await sessionDeletions(user)).writes,
    ...unlinkings(user),
    password: del(keys.password(uid)),
    ...(user.email !== '' && { guard: del(keys.emailGuard(project_id, user.email), ours(uid)) }),
  };
  // Smaller only for whoever has far more sessions than the limit, in the moment before they are ended.
  const room = maxWrites - 1 - Object.keys(ways).length;
  if (owned.length > room) throw owns(owned, tooMany);
  const receipt = {
    deleted_at: modifiedAt(now, user),
    patient_until: epochSeconds(now) + patience,
  };
  const changes: Changes = {
    set: {
      ...receipt,
      last_session_id: noSession,
      owned_workspace_count: 0,
    },
    add: { version: 1 },
    remove: Object.keys(user).filter((name) => !kept.has(name) && name !== 'last_session_id'),
  };
  return change(
    {
      ...ways,
      ...deletions(owned, uid, now),
      user: update(
        keys.user(uid),
        withEvents(changes, { type: 'user.deleted' }),
        and(and(unchangedSince(user), noNewerSession(user)), asCounted(user)),
      ),
    },
    { pk, sk, uid, project_id, version: version + 1, ...receipt },
  );
}

const ours = (uid: string) => where('#uid = :uid', { uid });

const tooMany =
  `More than ${limits.workspacesDeletedWithUser} workspaces that nobody else is in are not deleted with ` +
  'their owner; delete some of them first';

function owns(workspaces: readonly WorkspaceItem[], detail?: string): ApiError {
  const ids = workspaces.map(({ workspace_id }) => workspace_id);
  return new ApiError('owns_workspaces', {
    ...(detail !== undefined && { detail }),
    members: { workspace_ids: ids.slice(0, limits.page.max) },
  });
}

/** Holds while a user owns as many workspaces as were read. */
const asCounted = ({ owned_workspace_count }: UserItem): Condition =>
  where('#owned_workspace_count = :owned', { owned: owned_workspace_count });

/** Deletes workspaces that nobody has joined meanwhile. */
function deletions(alone: readonly WorkspaceItem[], uid: string, now: Date): Record<string, Write> {
  const held = and(ownedBy(uid), where('#total_member_count = :one', { one: 1 }));
  return Object.fromEntries(
    alone.map((workspace) => [
      `delete ${workspace.workspace_id}`,
      // Each tells its own end: whoever follows events knows them by their ids.
      deletionWithOwner(workspace, now, held),
    ]),
  );
}

/**
 * The workspaces that a user owns. The index that finds them may be late: so they are counted. One that was restored a
 * moment ago may still be found as archived. Throws `StaleReadError` while fewer, or more, are found than there are.
 */
async function findOwned(user: UserItem): Promise<WorkspaceItem[]> {
  const { project_id, uid, owned_workspace_count } = user;
  const found = new Map<string, WorkspaceItem>();
  for (const prefix of [prefixes.accepted, `${archivedPrefix}${prefixes.accepted}`]) {
    if (found.size === owned_workspace_count) break;
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
  if (found.size !== owned_workspace_count) throw new StaleReadError();
  return [...found.values()];
}
