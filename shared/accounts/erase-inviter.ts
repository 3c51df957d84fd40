import { inChunks } from '../db/batch-write.ts';
import { where } from '../db/condition.ts';
import { prefixes } from '../db/key-prefixes.ts';
import { type Key, keys } from '../db/keys.ts';
import { queryPages } from '../db/query.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';

type Invited = Key & { inviter_id: string; inviter_email: string };

/** Items per page. Only a few small attributes of each are returned. */
const pageSize = 1_000;
/** Items that are updated in parallel. */
const concurrency = 25;

/**
 * Removes the e-mail of a deleted user from the items of those they invited into a workspace, archived ones included;
 * the inviter's id stays. May be interrupted and run again. Invitations are processed first: one that is accepted
 * meanwhile is found as a member afterwards, or was accepted without the e-mail (`invitationUnchanged`).
 */
export async function eraseInviterEmail(workspace_id: string, uid: string): Promise<void> {
  for (const prefix of [prefixes.pending, prefixes.accepted]) {
    const pages = queryPages<Invited>({
      partition: keys.workspace(workspace_id).pk,
      prefix,
      limit: pageSize,
      attributes: ['pk', 'sk', 'inviter_id', 'inviter_email'],
    });
    for await (const items of pages) {
      const theirs = items.filter((item) => item.inviter_id === uid && item.inviter_email !== '');
      for (const some of inChunks(theirs, concurrency)) await Promise.all(some.map(eraseEmail));
    }
  }
}

/** An item that was deleted, or created again by another inviter, is left unchanged. */
const eraseEmail = ({ pk, sk, inviter_id }: Invited): Promise<boolean> =>
  ifConditionHolds(
    updateItem(
      { pk, sk },
      { set: { inviter_email: '' } },
      where('#inviter_id = :inviter_id', { inviter_id }),
    ),
  );
