import type { KeyObject } from 'node:crypto';
import { secretReader } from '../access/secrets-manager.ts';
import type { Factor } from '../contract/factors.ts';
import { getItem } from '../db/batch-loader.ts';
import { del, type Write } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import type { UserItem } from '../identity/users/users.ts';
import { env } from '../model/env.ts';
import type { EventDraft } from '../model/events.ts';
import { derive, derivingKey } from '../model/hmac.ts';

/**
 * The second factor of a user: an authenticator app, with recovery codes. One item, so that a code, a recovery code and
 * a removal exclude each other. It has no secret: that is derived from its id and a key, so that neither the table nor
 * a backup of it makes a code.
 */
export type FactorItem = Item & {
  /** Random; a further enrolment has another, and so another secret. */
  factor_id: string;
  uid: string;
  project_id: string;
  created_at: string;
  /** Absent until a code has confirmed it: until then it is none. */
  confirmed_at?: string;
  /**
   * Until it is confirmed: the session that has confirmed the password, or the key of the token of a sign-in; and when
   * it ends, in epoch seconds.
   */
  session_id?: string;
  expires_at?: number;
  /** The step of the last code that was used: no code of it or an earlier one is accepted. */
  last_step?: number;
  last_used_at?: string;
  /** Codes of the app that were tried since the last right one. `w<n>` counts those of window n. */
  tries?: number;
  /** Until then, in epoch seconds, the user gets no further mail about too many wrong codes. */
  warned_until?: number;
  /** Likewise about the lock that only a recovery code opens. */
  locked_warned_until?: number;
  /** Of the recovery codes that are left. */
  recovery_digests?: string[];
};

/** A factor that is in use. */
export type ConfirmedFactor = FactorItem & { confirmed_at: string; recovery_digests: string[] };

/**
 * The key from which secrets of second factors are derived, and recovery codes are digested. It has no other use: no
 * function beside those of factors can make a code.
 */
export const getFactorKey = /* @__PURE__ */ secretReader(() => env.factorSecretId(), derivingKey);

/** The secret of an authenticator app: 160 bits, as RFC 4226 section 4 recommends. */
export const totpSecretOf = (
  { uid, factor_id }: Pick<FactorItem, 'uid' | 'factor_id'>,
  key: KeyObject,
): Buffer => derive(`totp ${uid} ${factor_id}`, key).subarray(0, 20);

/** The factor of a user that is in use. */
export async function getFactor(uid: string): Promise<ConfirmedFactor | undefined> {
  const item = await getItem<FactorItem>(keys.factor(uid));
  return item && isConfirmed(item) ? item : undefined;
}

export const isConfirmed = (item: FactorItem): item is ConfirmedFactor =>
  item.confirmed_at !== undefined;

/** The factor of a user that was read, without a read if there is none. */
export const factorOf = ({ uid, factor_method }: UserItem): Promise<ConfirmedFactor | undefined> =>
  factor_method === undefined ? Promise.resolve(undefined) : getFactor(uid);

/** The attribute of a user that says that there is a factor. */
export const factorAttribute = 'factor_method';

/** Deletes the factor of a user that was read. No write without one. */
export const factorDeletion = ({ uid, factor_method }: UserItem): { factor?: Write } =>
  factor_method === undefined ? {} : { factor: del(keys.factor(uid), exists) };

export const factorRemoved: EventDraft = { type: 'user.factor_removed' };
export const recoveryCodeUsed: EventDraft = { type: 'user.recovery_code_used' };

/** A factor as its user sees it. */
export const toFactor = (item: ConfirmedFactor): Factor => ({
  type: 'totp',
  created_at: item.confirmed_at,
  ...(item.last_used_at !== undefined && { last_used_at: item.last_used_at }),
  recovery_codes_left: item.recovery_digests.length,
});
