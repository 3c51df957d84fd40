import {
  type Change,
  type Changes,
  change,
  del,
  noChange,
  update,
  type Write,
} from '../db/change.ts';
import { and, attributesUnchanged, exists, where } from '../db/condition.ts';
import { archivedPrefix } from '../db/index-attributes.ts';
import { epochSeconds } from '../db/item.ts';
import { prefixes } from '../db/key-prefixes.ts';
import { type Key, keys, workspaceIdOf } from '../db/keys.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { query } from '../db/query.ts';
import { StaleReadError } from '../db/request-context.ts';
import { maxWrites } from '../db/transaction.ts';
import { freeExternalId } from '../directory/external-ids.ts';
import { factorDeletion } from '../factors/factors.ts';
import { unlinkings } from '../identity/identities/identities.ts';
import { noSessionSince, sessionDeletions } from '../identity/sessions/sessions.ts';
import type { DeletedUserItem, UserItem } from '../identity/users/users.ts';
import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { passkeyDeletions, passkeysOf } from '../passkeys/passkeys.ts';
import { deletionWithOwner, ownedBy } from '../workspaces/delete-workspace.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import { getWorkspace } from '../workspaces/workspaces.ts';

/** Attributes that a deleted user's item keeps: ids and counts. */
const kept = new Set([
  ...['pk', 'sk', 'uid', 'project_id', 'version'],
  ...['events', 'event_count', 'workspace_count', 'owned_workspace_count'],
]);

/** Replaces the id of the last session, so that writes that require the last one fail. */
const noSession = 'deleted';
/** Seconds to wait for an index that lags. */
const patience = 300;

/**
 * Deletes a user, all or nothing: profile, e-mail, credentials, sessions, and the workspaces without other members. A
 * receipt remains. Only sessions for which the transaction has no room end before it: some of a user who owns dozens of
 * workspaces with external ids. A stream job then deletes the user's items elsewhere. Throws `owns_workspaces` if the
 * user owns a workspace with other members, or more than 40 workspaces. Stale if the user or their workspaces changed.
 *
 * @param asking the session of a user who deletes themself, which ends in the transaction
 */
export async function deleteUser(
  user: UserItem,
  now: Date,
  asking?: string,
): Promise<Change<DeletedUserItem>> {
  const { pk, sk, uid, project_id, version, external_id } = user;
  const owned = await findOwned(user);
  const shared = owned.filter(({ total_member_count }) => total_member_count > 1);
  if (shared.length > 0) throw owns(shared);
  if (owned.length > limits.workspacesDeletedWithUser) throw owns(owned, tooMany);
  const others = {
    ...unlinkings(user),
    ...passkeyDeletions(await passkeysOf(user)),
    ...factorDeletion(user),
    password: del(keys.password(uid)),
    // Never before: a request that runs again, or is sent again, needs it.
    ...(asking !== undefined && { asking: del(keys.session(uid, asking), exists) }),
    ...(user.email !== '' && { guard: del(keys.emailGuard(project_id, user.email), ours(uid)) }),
    ...(user.has_metadata && { metadata: del(keys.userMetadata(uid)) }),
    ...(external_id !== undefined && {
      external_id: freeExternalId('USERS', { project_id, id: uid, external_id }),
    }),
    ...deletions(owned, uid, now),
  };
  const room = maxWrites - 1 - Object.keys(others).length;
  // Only with much of all: workspaces that have an external id, linked accounts and passkeys are two writes each.
  if (room < 0) throw owns(owned, noRoom);
  const keep = ({ session_id }: { session_id: string }) => session_id === asking;
  const sessions = (await sessionDeletions(user, { keep, max: room })).writes;
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
      ...sessions,
      ...others,
      user: update(
        keys.user(uid),
        withEvents(changes, { type: 'user.deleted' }),
        and(
          noSessionSince(user),
          // A change of the metadata does not change the version.
          attributesUnchanged(user, ['owned_workspace_count', 'has_metadata']),
        ),
      ),
    },
    { pk, sk, uid, project_id, version: version + 1, ...receipt },
  );
}

/**
 * Starts the job of a deletion again if it should be done by now: its record may have been lost, as by a restore of the
 * table. The e-mail is gone by then, so the events of its mailbox stay until they expire.
 */
export function restartDeletion(receipt: DeletedUserItem, now: Date): Change<DeletedUserItem> {
  const { uid, completed_at, patient_until } = receipt;
  if (completed_at !== undefined || epochSeconds(now) < patient_until) return noChange(receipt);
  const user = update(
    keys.user(uid),
    { set: { patient_until: epochSeconds(now) + patience } },
    where('attribute_exists(#patient_until)'),
  );
  return change({ user }, receipt);
}

const ours = (uid: string) => where('#uid = :uid', { uid });

const tooMany =
  `More than ${limits.workspacesDeletedWithUser} workspaces that nobody else is in are not deleted with ` +
  'their owner; delete some of them first';

const noRoom =
  'The external ids of the workspaces and the linked identities are too many to be deleted at once; ' +
  'delete some of the workspaces first';

function owns(workspaces: readonly WorkspaceItem[], detail?: string): ApiError {
  const ids = workspaces.map(({ workspace_id }) => workspace_id);
  return new ApiError('owns_workspaces', {
    ...(detail !== undefined && { detail }),
    members: { workspace_ids: ids.slice(0, limits.page.max) },
  });
}

/** Deletes the owned workspaces, unless another user joined one meanwhile. */
function deletions(alone: readonly WorkspaceItem[], uid: string, now: Date): Record<string, Write> {
  const condition = and(ownedBy(uid), where('#total_member_count = :one', { one: 1 }));
  return Object.fromEntries(
    alone.flatMap((workspace): [string, Write][] => {
      const { workspace_id } = workspace;
      // Each workspace gets its own deletion event, because consumers know it by its id.
      const { deletion, freed } = deletionWithOwner(workspace, now, condition);
      return [
        [`delete ${workspace_id}`, deletion],
        ...(freed ? [[`free ${workspace_id}`, freed] as [string, Write]] : []),
      ];
    }),
  );
}

/**
 * The workspaces that a user owns. Compares their number with the user's count, because the index may lag. A workspace
 * that was just restored may still be indexed as archived. Throws `StaleReadError` if the numbers differ.
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
