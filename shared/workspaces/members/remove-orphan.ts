import { getItem } from '../../db/batch-loader.ts';
import { del, merged, put, update, type Write } from '../../db/change.ts';
import { and, exists, where } from '../../db/condition.ts';
import { prefixes } from '../../db/key-prefixes.ts';
import { type Key, keys, workspaceIdOf } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { currentRequest } from '../../db/request-context.ts';
import { retryWhileStale } from '../../db/retry-stale.ts';
import { transact } from '../../db/transaction.ts';
import type { EventDraft } from '../../model/events.ts';
import { type ArchivableItem, indexUnchanged, isArchived, type WorkspaceItem } from '../items.ts';
import { endingOffer, type OfferEnd } from '../ownership.ts';
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
 * What ends with a membership: an ownership offer, and the copy of the e-mail of an owner, because the workspace is
 * found by their membership alone.
 */
function endings(workspace: WorkspaceItem, uid: string, now: Date): OfferEnd[] {
  const offer = endingOffer(workspace, uid, now);
  if (workspace.owner_id !== uid) return [offer];
  const condition = where('#owner_id = :owner', { owner: uid });
  return [offer, { changes: { set: { owner_email: '' } }, events: [], condition }];
}

/**
 * Removes a membership, invitation or join request of a deleted user, and updates the counts of the workspace and the
 * user. Erases the owner's e-mail of a workspace that the user had deleted before. The end of a membership leaves a
 * mark, by which the job of the user's deletion finds those whom the user invited: a last request of theirs may invite
 * somebody as long as there is the membership. Re-reads the item if it changed meanwhile; does nothing if it no longer
 * exists.
 */
export async function removeOrphan({ pk, sk }: Key): Promise<void> {
  const workspace_id = workspaceIdOf({ pk, sk });
  const workspaceKey = keys.workspace(workspace_id);
  const isMembership = sk.startsWith(prefixes.accepted);
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
    const left = isMembership ? workspace : undefined;
    const ended = left ? endings(left, uid, now) : [];
    const changes = merged(...ended.map((each) => each.changes), { increment: { [counter]: -1 } });
    const events = [event, ...ended.flatMap((each) => each.events)];
    const condition = and(exists, ...ended.map((each) => each.condition));
    const writes: Record<string, Write> = {
      item: del({ pk, sk }, indexUnchanged(item)),
      // A purged workspace has no counts to update; its items expire by themselves.
      ...(workspace && {
        workspace: update(workspaceKey, withEvents(changes, ...events), condition),
      }),
      ...(user && isMembership && !isArchived(item) && { user: decrementMemberships(uid) }),
      ...(left && { leftWorkspace: put(keys.leftWorkspace(uid, workspace_id)) }),
    };
    await transact(writes);
  });
}
