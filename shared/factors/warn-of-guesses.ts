import { create, update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { keys } from '../db/schema.ts';
import { ifConditionHolds, transact } from '../db/transaction.ts';
import { getUser } from '../identity/users.ts';
import { newMail } from '../mail/mails.ts';
import { lifetimes } from '../model/limits.ts';
import type { FactorItem } from './factors.ts';

/**
 * Tells a user by mail that too many wrong codes were entered: whoever does so has passed the first factor. At most once
 * a day, even under concurrency. It is written although the request fails, and again by the next one that is refused if
 * this one dies before.
 */
export async function warnOfGuesses(factor: FactorItem, now: Date): Promise<void> {
  const { uid, project_id, factor_id, confirmed_at, warned_at } = factor;
  const before = new Date(now.getTime() - lifetimes.factorWarning * 1_000).toISOString();
  if (confirmed_at === undefined || (warned_at !== undefined && warned_at >= before)) return;
  const user = await getUser(project_id, uid);
  if (!user || user.email === '') return;
  const isOver = where('attribute_not_exists(#warned_at) OR #warned_at < :before', { before });
  await ifConditionHolds(
    transact({
      factor: update(
        keys.factor(uid),
        { set: { warned_at: now.toISOString() } },
        and(where('#factor_id = :factor_id', { factor_id }), isOver),
      ),
      mail: create(newMail('factor_locked', { project_id, to: user.email }, now)),
    }),
  );
}
