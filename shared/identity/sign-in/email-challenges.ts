import type { LinkPurpose } from '../../access/projects.ts';
import { getItem } from '../../db/batch-loader.ts';
import { del, type Write } from '../../db/change.ts';
import { exists, where } from '../../db/condition.ts';
import { epochSeconds, type Item } from '../../db/item.ts';
import { type Key, keys } from '../../db/keys.ts';
import { countOncePerRequest, isCounted } from '../../db/rate-limits.ts';
import { ifConditionFails } from '../../db/transaction.ts';
import type { MailItem } from '../../mail/mails.ts';
import { ApiError } from '../../model/errors.ts';
import { lifetimes, limits } from '../../model/limits.ts';

/** Codes and tokens sent by mail. Their holder reads the mailbox. Each can be used once. */

/** A mailed code. The code itself is not stored, but derived from the id and a secret. */
export type ChallengeItem = Item & {
  challenge_id: string;
  project_id: string;
  email: string;
  tries: number;
  created_at: string;
  /** Epoch seconds. */
  expires_at: number;
};

/** The purposes of tokens that are stored. Sign-in links are items of their own (sign-in-links.ts). */
export type TokenPurpose = Exclude<LinkPurpose, 'sign_in_link'>;

/** A mailed token, stored under its digest. */
export type MailTokenItem = Item & {
  purpose: TokenPurpose;
  project_id: string;
  /** The mailbox that it verifies, as typed. */
  email: string;
  /** The user who requested it, if known. Nobody else can use it. */
  uid?: string;
  /** The e-mail to replace. The token is invalid once the user has another one. */
  from_email?: string;
  /** The session that requested it, if the token becomes invalid with that session. */
  session_id?: string;
  created_at: string;
  /** Epoch seconds. */
  expires_at: number;
};

/** Lifetime of a token by its purpose, in seconds. */
export const tokenLifetimes: Record<TokenPurpose, number> = {
  sign_up: lifetimes.signUpToken,
  reset_password: lifetimes.resetPasswordToken,
  verify_email: lifetimes.verifyEmailToken,
  change_email: lifetimes.changeEmailToken,
};

/** Lifetimes of every mailed link, in seconds. */
export const linkLifetimes: Record<LinkPurpose, number> = {
  ...tokenLifetimes,
  sign_in_link: lifetimes.signInLink,
};

/** The challenge of a mailed code, not yet stored. It has the id of the mail. */
export function newEmailChallenge({ mail_id, project_id, to }: MailItem, now: Date): ChallengeItem {
  return {
    ...keys.challenge(mail_id),
    challenge_id: mail_id,
    project_id,
    email: to,
    tries: 0,
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + lifetimes.signInCode,
  };
}

/** A mailed token, not yet stored. */
export function newMailToken(
  token: string,
  purpose: TokenPurpose,
  of: Pick<MailTokenItem, 'project_id' | 'email' | 'uid' | 'from_email' | 'session_id'>,
  now: Date,
): MailTokenItem {
  return {
    ...keys.mailToken(token),
    ...of,
    purpose,
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + tokenLifetimes[purpose],
  };
}

/**
 * Counts an attempt at a mailed code or sign-in link before it is compared, so that at most five are compared, even
 * under concurrency. Throws `invalid_credentials` if it does not exist or has no attempt left.
 */
export async function countCodeAttempt<T extends Item>(
  key: Key,
  project_id: string,
  now: Date,
): Promise<T> {
  if (isCounted(key)) {
    const item = await getItem<T>(key);
    if (!item) throw new ApiError('invalid_credentials', { reason: 'it was used meanwhile' });
    return item;
  }
  const counting = countOncePerRequest<T>(
    key,
    { add: { tries: 1 } },
    where('#project_id = :project_id AND #tries < :most AND #expires_at > :now', {
      project_id,
      most: limits.codeTries,
      now: epochSeconds(now),
    }),
  );
  return ifConditionFails(counting, () => {
    const reason = 'no such code or link, or no attempt left';
    throw new ApiError('invalid_credentials', { reason });
  });
}

/** Returns the token if it is valid for one of the purposes in the project. Throws `mail_token_invalid`. */
export async function requireEmailToken(
  token: string,
  project_id: string,
  purposes: readonly TokenPurpose[],
  now: Date,
): Promise<MailTokenItem> {
  const item = await getItem<MailTokenItem>(keys.mailToken(token));
  const good =
    item?.project_id === project_id &&
    purposes.includes(item.purpose) &&
    item.expires_at > epochSeconds(now);
  if (!item || !good)
    throw new ApiError('mail_token_invalid', { reason: 'unknown, expired or for another purpose' });
  return item;
}

/** True if a token is older than a password reset token may be, whatever its purpose. */
export function hasOutlivedReset({ purpose, expires_at }: MailTokenItem, now: Date): boolean {
  const mailed_at = expires_at - tokenLifetimes[purpose];
  return mailed_at + lifetimes.resetPasswordToken <= epochSeconds(now);
}

/** Consumes a code, token or link. Of two concurrent requests, the second one fails here, retries and finds none. */
export const consumeToken = ({ pk, sk }: Key): Write => del({ pk, sk }, exists);
