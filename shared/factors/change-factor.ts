import type { KeyObject } from 'node:crypto';
import { type Change, change, del, update } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { forgetDevices } from '../identity/sessions/devices.ts';
import { sessionExists } from '../identity/sessions/sessions.ts';
import { type UserItem, userExists, userUnchanged } from '../identity/users/users.ts';
import { noticeTo } from '../mail/mails.ts';
import {
  type ConfirmedFactor,
  factorAttribute,
  factorRemoved,
  recoveryCodeUsed,
} from './factors.ts';
import type { Proof } from './prove.ts';
import { newRecoveryCodes } from './recovery-codes.ts';

/**
 * Removes the factor of a user, with its recovery codes. The user is told by mail. A backend has no proof of the
 * factor: who has lost their app may have lost their computer too, so that every device is new.
 *
 * @param own the proof and the session of a user who removes it. Stale if the session ended meanwhile.
 */
export function removeFactor(
  user: UserItem,
  factor: ConfirmedFactor,
  now: Date,
  own?: { proof: Proof; session_id: string },
): Change<ConfirmedFactor> {
  const { condition, recovered } = own?.proof ?? withoutProof(factor);
  const changes = {
    set: { modified_at: modifiedAt(now, user), ...(!own && forgetDevices(user)) },
    add: { version: 1 },
    remove: [factorAttribute],
  };
  return change(
    {
      factor: del(keys.factor(user.uid), condition),
      user: update<UserItem>(
        keys.user(user.uid),
        withEvents(changes, ...(recovered ? [recoveryCodeUsed] : []), factorRemoved),
        userUnchanged(user),
      ),
      ...(own && { session: sessionExists(user.uid, own.session_id) }),
      ...noticeTo(user, 'factor_removed', {}, now),
    },
    factor,
  );
}

const withoutProof = ({ factor_id }: ConfirmedFactor) => ({
  condition: where('#factor_id = :factor_id', { factor_id }),
  recovered: false,
});

/**
 * Replaces all recovery codes of a user who has proven the factor, and mails the user about it. Stale if the session
 * ended meanwhile: it may have been a thief's.
 */
export function renewRecoveryCodes(
  { user, session_id }: { user: UserItem; session_id: string },
  { factor, changes, condition, recovered }: Proof,
  key: KeyObject,
  now: Date,
): Change<{ recovery_codes: string[] }> {
  const { recovery_codes, digests } = newRecoveryCodes(factor.uid, key);
  return change(
    {
      factor: update(
        keys.factor(factor.uid),
        { ...changes, set: { ...changes.set, recovery_digests: digests } },
        condition,
      ),
      user: update<UserItem>(
        keys.user(user.uid),
        withEvents({}, ...(recovered ? [recoveryCodeUsed] : []), {
          type: 'user.recovery_codes_renewed',
        }),
        userExists,
      ),
      session: sessionExists(user.uid, session_id),
      ...noticeTo(user, 'recovery_codes_renewed', {}, now),
    },
    { recovery_codes },
  );
}
