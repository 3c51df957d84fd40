import { update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { ifConditionHolds, transact } from '../db/transaction.ts';
import { getUser } from '../identity/users/users.ts';
import { noticeTo } from '../mail/mails.ts';
import { limits } from '../model/limits.ts';
import type { FactorItem } from './factors.ts';

/** Seconds between two mails to a user. */
const pause = 86_400;

/**
 * Tells a user by mail that too many wrong codes were entered: somebody who has passed the first factor did so. At most
 * once a day for each of the two locks, even under concurrency. It is written although the request fails, and again by
 * the next one that is refused if this one dies before.
 */
export async function warnOfGuesses(factor: FactorItem, now: Date): Promise<void> {
  const { uid, project_id, factor_id, confirmed_at, tries = 0 } = factor;
  const present = epochSeconds(now);
  // The first ends with a quarter of an hour, the second only with a recovery code: who was warned of the one is not
  // yet of the other.
  const isLocked = tries >= limits.wrongFactorCodesInARow;
  const mark = isLocked ? 'locked_warned_until' : 'warned_until';
  if (confirmed_at === undefined || (factor[mark] ?? 0) > present) return;
  const user = await getUser(project_id, uid);
  if (!user) return;
  const kind = isLocked ? 'recovery_code_required' : 'factor_locked';
  const mail = noticeTo(user, kind, {}, now);
  if (!mail.notice) return;
  const isOver = where(`attribute_not_exists(#${mark}) OR #${mark} <= :present`, { present });
  await ifConditionHolds(
    transact({
      factor: update(
        keys.factor(uid),
        { set: { [mark]: present + pause } },
        and(where('#factor_id = :factor_id', { factor_id }), isOver),
      ),
      ...mail,
    }),
  );
}
