import { inChunks } from '../db/batch-write.ts';
import { where } from '../db/change.ts';
import { query } from '../db/query.ts';
import { type Key, keys, prefixes } from '../db/schema.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';

type Invited = Key & { inviter_id: string; inviter_email: string };

/** Items a page: small ones are sent, whatever size is read. */
const pageSize = 1_000;
/** How many items are written side by side. */
const concurrency = 25;

/**
 * Removes the e-mail of a deleted user from whom they invited into a workspace, archived ones too; that it was they
 * stays, by the id. May be interrupted and run again. Invitations come first: one that is accepted meanwhile either
 * is a member when those are looked at, or is accepted as it is then (`unchangedInvitation`).
 */
export async function eraseInviterEmail(workspace_id: string, uid: string): Promise<void> {
  for (const prefix of [prefixes.pending, prefixes.accepted]) {
    let after: Key | undefined;
    for (;;) {
      const { items, more } = await query<Invited>({
        partition: keys.workspace(workspace_id).pk,
        prefix,
        limit: pageSize,
        attributes: ['pk', 'sk', 'inviter_id', 'inviter_email'],
        ...(after && { after }),
      });
      const theirs = items.filter((item) => item.inviter_id === uid && item.inviter_email !== '');
      for (const some of inChunks(theirs, concurrency)) await Promise.all(some.map(eraseEmail));
      const last = items.at(-1);
      if (!more || !last) break;
      after = { pk: last.pk, sk: last.sk };
    }
  }
}

/** One that is gone, or was made anew by somebody else, is left alone. */
const eraseEmail = ({ pk, sk, inviter_id }: Invited): Promise<void> =>
  ifConditionHolds(
    updateItem(
      { pk, sk },
      { set: { inviter_email: '' } },
      where('#inviter_id = :inviter_id', { inviter_id }),
    ),
  );
