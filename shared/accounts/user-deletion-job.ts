import { getItem } from '../db/batch-loader.ts';
import { both, ConditionFailed, remove, update, type Write, where } from '../db/change.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { telling } from '../db/outbox.ts';
import { query } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import {
  archivedPrefix,
  joinRequestPrefix,
  type Key,
  keys,
  prefixes,
  workspaceIdOf,
} from '../db/schema.ts';
import { ifConditionHolds, transact, updateItem } from '../db/transaction.ts';
import { removeLog } from '../events/log.ts';
import { findUserItem, type UserItem } from '../identity/users.ts';
import { forgetAddress } from '../mail/mailboxes.ts';
import type { Fact } from '../model/events.ts';
import { type ArchivableItem, isArchived } from '../workspaces/batched-transactions.ts';
import { leaves } from '../workspaces/membership-transaction.ts';
import { endingOffer } from '../workspaces/ownership.ts';
import type { WorkspaceItem } from '../workspaces/workspaces.ts';
import type { DeletedUserItem } from './delete-user.ts';
import { forgetInviter } from './erase-inviter.ts';

/** What an item of a user's in a workspace is counted by there, and what its removal tells. */
function endingOf({ sk, user_id, member_id, role }: ArchivableItem): {
  counter: string;
  fact: Fact;
} {
  const data = { user_id, member_id, role };
  if (sk.startsWith(prefixes.accepted))
    return { counter: 'total_member_count', fact: { type: 'workspace.member.removed', data } };
  if (sk.startsWith(prefixes.pending))
    return {
      counter: 'pending_member_count',
      fact: { type: 'workspace.invitation.revoked', data },
    };
  return {
    counter: 'join_request_count',
    fact: { type: 'workspace.join_request.withdrawn', data: { user_id } },
  };
}

/**
 * Removes a membership, an invitation or a request of a user who was deleted, and counts it off its workspace and its
 * user. Where it has changed since it was read, it is read anew; where it is gone, nothing is left to do.
 */
export async function removeLeftover({ pk, sk }: Key): Promise<void> {
  const workspaceKey = keys.workspace(workspaceIdOf({ pk, sk }));
  // Whatever it is, its key ends with its user.
  const uid = sk.slice(sk.indexOf('#') + 1);
  const { now } = currentRequest();
  for (;;) {
    const [item, workspace, user] = await Promise.all([
      getItem<ArchivableItem>({ pk, sk }),
      getItem<WorkspaceItem>(workspaceKey),
      getItem(keys.user(uid)),
    ]);
    if (!item) return;
    const { counter, fact } = endingOf(item);
    const counts = sk.startsWith(prefixes.accepted) && !isArchived(item);
    const { by_member_sk } = item;
    const offer =
      workspace && sk.startsWith(prefixes.accepted) ? endingOffer(workspace, uid, now) : undefined;
    const changes = { ...offer?.changes, count: { [counter]: -1 } };
    const facts = [fact, ...(offer?.facts ?? [])];
    const there = where('attribute_exists(#pk)');
    const condition = offer ? both(there, offer.condition) : there;
    const writes: Record<string, Write> = {
      item: remove({ pk, sk }, where('#by_member_sk = :by_member_sk', { by_member_sk })),
      // One that is purged already has left its items to their own time of expiry.
      ...(workspace && {
        workspace: update(workspaceKey, telling(changes, ...facts), condition),
      }),
      ...(user && counts && { user: leaves(uid) }),
    };
    try {
      await transact(writes);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

const places = [
  ...Object.values(prefixes).flatMap((prefix) => [prefix, `${archivedPrefix}${prefix}`]),
  joinRequestPrefix,
];

/**
 * Removes what is left of a deleted user elsewhere, and completes the receipt. May be interrupted and run again. The
 * index that finds memberships may be late: while it shows fewer than are counted this fails, and is run again. What
 * is added so late that nobody counts it is removed by the job that looks at what is new (`removeIfDeleted`).
 * @param email which the user had; of what came back from it the events are removed too.
 */
export async function cleanUpUser(
  { pk, sk, uid, project_id }: DeletedUserItem,
  email: string,
): Promise<void> {
  const { now } = currentRequest();
  for (const prefix of places) {
    const { items } = await query<Key>({ index: 'by-member', partition: pk, prefix });
    for (const item of items) {
      // Before the membership by which the workspace is found.
      if (item.sk.startsWith(prefixes.accepted)) await forgetInviter(workspaceIdOf(item), uid);
      await removeLeftover(item);
    }
  }
  const user = await getItem<DeletedUserItem & Item>({ pk, sk });
  if (!user) return;
  const { workspace_count = 0, patient_until } = user;
  if (workspace_count > 0 && epochSeconds(now) < patient_until)
    throw new Error(`The index does not show ${workspace_count} memberships of ${uid} yet.`);
  await removeLog(pk);
  if (email !== '') await forgetAddress(project_id, email);
  const changes = { setOnce: { completed_at: now.toISOString() }, remove: ['patient_until'] };
  await ifConditionHolds(
    updateItem({ pk, sk }, changes, where('attribute_not_exists(#completed_at)')),
  );
}

/** Removes what was added to a workspace for a user who is deleted by now; answers the user, if there is one. */
export async function removeIfDeleted(
  item: Key & { user_id: string },
): Promise<UserItem | undefined> {
  const user = await findUserItem(item.user_id);
  if (user?.deleted_at === undefined) return user;
  await removeLeftover(item);
  return undefined;
}
