import { create, update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { ifConditionHolds, transact } from '../db/transaction.ts';
import { getUser } from '../identity/users.ts';
import { newMail } from '../mail/mails.ts';
import { limits } from '../model/limits.ts';
import type { FactorItem } from './factors.ts';

/** Seconds between two mails to a user. */
const pause = 86_400;

/**
 * Tells a user by mail that too many wrong codes were entered: whoever does so has passed the first factor. At most once
 * a day, even under concurrency. It is written although the request fails, and again by the next one that is refused if
 * this one dies before.
 */
export async function warnOfGuesses(factor: FactorItem, now: Date): Promise<void> {
  const { uid, project_id, factor_id, confirmed_at, warned_until = 0, tries = 0 } = factor;
  const present = epochSeconds(now);
  if (confirmed_at === undefined || warned_until > present) return;
  const user = await getUser(project_id, uid);
  if (!user || user.email === '') return;
  // The first ends with a quarter of an hour, the second only with a recovery code.
  const kind = tries < limits.wrongFactorCodesInARow ? 'factor_locked' : 'recovery_code_required';
  const isOver = where('attribute_not_exists(#warned_until) OR #warned_until <= :present', {
    present,
  });
  await ifConditionHolds(
    transact({
      factor: update(
        keys.factor(uid),
        { set: { warned_until: present + pause } },
        and(where('#factor_id = :factor_id', { factor_id }), isOver),
      ),
      mail: create(newMail(kind, { project_id, to: user.email }, now)),
    }),
  );
}
