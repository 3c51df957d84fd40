import { getItem } from '../db/batch-loader.ts';
import { where } from '../db/condition.ts';
import { archivedPrefix } from '../db/index-attributes.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { apiKeyPrefix, apiKeyUsePrefix, joinRequestPrefix, prefixes } from '../db/key-prefixes.ts';
import { type Key, keys } from '../db/keys.ts';
import { query, type Range } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import { ifConditionHolds, removeItem, updateItem } from '../db/transaction.ts';
import { removeLog } from '../events/log.ts';
import {
  type DeletedUserItem,
  findUserItem,
  isDeletedUser,
  type UserItem,
} from '../identity/users/users.ts';
import { getMailbox, removeRecordedEvents } from '../mail/mailboxes.ts';
import { removeOrphan } from '../workspaces/members/remove-orphan.ts';
import { eraseInviterEmail } from './erase-inviter.ts';

const places = [
  ...Object.values(prefixes).flatMap((prefix) => [prefix, `${archivedPrefix}${prefix}`]),
  joinRequestPrefix,
];

/**
 * Deletes the items elsewhere of a user who is deleted in the table, and completes the receipt. May be interrupted and
 * run again. Fails, to be retried, while the index shows fewer memberships than are counted. Items that are added too
 * late to be counted are removed when the stream processes them (`removeIfDeleted`).
 *
 * @param email that the user had, if it is known; the events of its bounces and complaints are deleted too
 */
export async function completeUserDeletion(
  { pk, sk, uid }: DeletedUserItem,
  email: string | undefined,
): Promise<void> {
  const { now } = currentRequest();
  const stored = await findUserItem(uid);
  // After a restore of the table there may be records of deletions that it does not have.
  if (stored && !isDeletedUser(stored)) return;
  for (const prefix of places)
    await forEachItem({ index: 'by-member', partition: pk, prefix }, removeOrphan);
  await forEachItem({ partition: pk, prefix: apiKeyPrefix }, removeItem);
  // Also those of keys that are gone: a request that was admitted just before a revocation may write the day afterwards.
  await forEachItem({ partition: keys.apiKeyUse(uid, '').pk, prefix: apiKeyUsePrefix }, removeItem);
  const user = await getItem<DeletedUserItem & Item>({ pk, sk });
  if (!user) return;
  const { workspace_count = 0, patient_until } = user;
  if (workspace_count > 0 && epochSeconds(now) < patient_until)
    throw new Error(`The index does not show ${workspace_count} memberships of ${uid} yet.`);
  await eraseFromLeftWorkspaces(uid);
  await removeLog(pk);
  if (email) await eraseMailboxEvents(user, email);
  const changes = { setIfAbsent: { completed_at: now.toISOString() }, remove: ['patient_until'] };
  await ifConditionHolds(
    updateItem({ pk, sk }, changes, where('attribute_not_exists(#completed_at)')),
  );
}

/**
 * Erases the user's e-mail from the items of those they invited, in each workspace that has a mark. Runs when no
 * membership is left: each way to end one writes the mark in the same transaction, and without a membership the user
 * invites nobody.
 */
function eraseFromLeftWorkspaces(uid: string): Promise<void> {
  const { pk: partition, sk: prefix } = keys.leftWorkspace(uid, '');
  return forEachItem({ partition, prefix }, async (mark) => {
    await eraseInviterEmail(mark.sk.slice(prefix.length), uid);
    await removeItem(mark);
  });
}

/** Works on one item after the other. Interrupted and run again, it meets those that are left. */
async function forEachItem(range: Range, work: (key: Key) => Promise<void>): Promise<void> {
  const { items } = await query<Key>(range);
  for (const { pk, sk } of items) await work({ pk, sk });
}

/** Removes an item that was added to a workspace for a user who is deleted. Returns the user, if there is one. */
export async function removeIfDeleted(
  item: Key & { user_id: string },
): Promise<UserItem | undefined> {
  const user = await findUserItem(item.user_id);
  if (user?.deleted_at === undefined) return user;
  await removeOrphan(item);
  await eraseFromLeftWorkspaces(user.uid);
  return undefined;
}

/**
 * Deletes what the log of an address has of a deleted user, but not what it has of somebody who took the address after
 * them. That mail to it is stopped stays, on an item whose key is a digest of the address.
 */
async function eraseMailboxEvents(
  { project_id, uid, deleted_at }: DeletedUserItem,
  email: string,
): Promise<void> {
  const mailbox = await getMailbox(project_id, email);
  if (!mailbox) return;
  // Version 0.17.0 and earlier left the last event on the item.
  if (mailbox.events) await removeRecordedEvents(mailbox);
  await removeLog(mailbox.pk, ({ time, data: { user_id } }) =>
    user_id === undefined ? time <= deleted_at : user_id === uid,
  );
}
