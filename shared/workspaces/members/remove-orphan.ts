import { getItem } from '../../db/batch-loader.ts';
import { type Changes, del, merged, update, type Write } from '../../db/change.ts';
import { and, type Condition, exists, where } from '../../db/condition.ts';
import { prefixes } from '../../db/key-prefixes.ts';
import { type Key, keys, workspaceIdOf } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { currentRequest } from '../../db/request-context.ts';
import { retryWhileStale } from '../../db/retry-stale.ts';
import { transact } from '../../db/transaction.ts';
import type { EventDraft } from '../../model/events.ts';
import { type ArchivableItem, isArchived, type WorkspaceItem } from '../items.ts';
import { endingOffer } from '../ownership.ts';
import { decrementMemberships } from './membership-transaction.ts';

/** The counter of an item in a workspace, and the event of its removal. */
function removalOf({ sk, user_id, member_id, role }: ArchivableItem): {
  counter: string;
  event: EventDraft;
} {
  const data = { user_id, member_id, role };
  if (sk.startsWith(prefixes.accepted))
    return { counter: 'total_member_count', event: { type: 'workspace.member.removed', data } };
  if (sk.startsWith(prefixes.pending))
    return {
      counter: 'pending_member_count',
      event: { type: 'workspace.invitation.revoked', data },
    };
  return {
    counter: 'join_request_count',
    event: { type: 'workspace.join_request.withdrawn', data: { user_id } },
  };
}

/**
 * Empties the copy of the owner's e-mail with the owner's membership, by which alone the workspace is found. Undefined
 * for members who own nothing.
 */
function erasedOwner(
  { owner_id }: WorkspaceItem,
  { sk, user_id }: ArchivableItem,
): { changes: Changes; condition: Condition } | undefined {
  if (owner_id !== user_id || !sk.startsWith(prefixes.accepted)) return undefined;
  const condition = where('#owner_id = :erased_owner', { erased_owner: owner_id });
  return { changes: { set: { owner_email: '' } }, condition };
}

/**
 * Removes a membership, invitation or join request of a deleted user, and updates the counts of the workspace and the
 * user. Erases the owner's e-mail of a workspace that the user had deleted before. Re-reads the item if it changed
 * meanwhile; does nothing if it no longer exists.
 */
export async function removeOrphan({ pk, sk }: Key): Promise<void> {
  const workspaceKey = keys.workspace(workspaceIdOf({ pk, sk }));
  // The sort keys of all three kinds end with the uid.
  const uid = sk.slice(sk.indexOf('#') + 1);
  const { now } = currentRequest();
  await retryWhileStale(async () => {
    const [item, workspace, user] = await Promise.all([
      getItem<ArchivableItem>({ pk, sk }),
      getItem<WorkspaceItem>(workspaceKey),
      getItem(keys.user(uid)),
    ]);
    if (!item) return;
    const { counter, event } = removalOf(item);
    const counts = sk.startsWith(prefixes.accepted) && !isArchived(item);
    const { by_member_sk } = item;
    const offer =
      workspace && sk.startsWith(prefixes.accepted) ? endingOffer(workspace, uid, now) : undefined;
    const erasure = workspace && erasedOwner(workspace, item);
    const changes = merged(offer?.changes ?? {}, erasure?.changes ?? {}, {
      increment: { [counter]: -1 },
    });
    const events = [event, ...(offer?.events ?? [])];
    const condition = [offer, erasure].reduce(
      (all, each) => (each ? and(all, each.condition) : all),
      exists,
    );
    const writes: Record<string, Write> = {
      item: del({ pk, sk }, where('#by_member_sk = :by_member_sk', { by_member_sk })),
      // A purged workspace has no counts to update; its items expire by themselves.
      ...(workspace && {
        workspace: update(workspaceKey, withEvents(changes, ...events), condition),
      }),
      ...(user && counts && { user: decrementMemberships(uid) }),
    };
    await transact(writes);
  });
}
