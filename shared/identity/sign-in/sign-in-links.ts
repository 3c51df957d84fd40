import type { KeyObject } from 'node:crypto';
import { getItem } from '../../db/batch-loader.ts';
import { type Change, change, update } from '../../db/change.ts';
import { exists } from '../../db/condition.ts';
import { epochSeconds, type Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { getMailKey, isLinkCode, isMailedToken, linkCode } from '../../mail/mail-secret.ts';
import type { MailItem } from '../../mail/mails.ts';
import { ApiError, invalidField } from '../../model/errors.ts';
import { equalInConstantTime, sha256 } from '../../model/ids.ts';
import { lifetimes, limits } from '../../model/limits.ts';
import { countCodeAttempt } from './email-challenges.ts';

/**
 * Mailed sign-in links. A link signs in only together with the verifier that the asking browser keeps: neither a
 * scanner of mail, nor who gets the mail forwarded or steals it, nor who asked for it without the mailbox can use it.
 * Elsewhere it shows a code, which takes the verifier too.
 */

/** A mailed link. Neither its token nor its code is stored: both are derived from the id and a secret. */
export type SignInLinkItem = Item & {
  link_id: string;
  project_id: string;
  email: string;
  /** The SHA-256 of the verifier. */
  challenge: string;
  tries: number;
  /** Set once somebody with the mail has seen the code. Before that no code is right, so that nobody can guess it. */
  code_shown?: true;
  created_at: string;
  /** Epoch seconds. */
  expires_at: number;
};

/** A link that is not yet stored. It has the id of the mail. */
export const newSignInLink = (
  { mail_id, project_id, to }: MailItem,
  challenge: string,
  now: Date,
): SignInLinkItem => ({
  ...keys.signInLink(mail_id),
  link_id: mail_id,
  project_id,
  email: to,
  challenge,
  tries: 0,
  created_at: now.toISOString(),
  expires_at: epochSeconds(now) + lifetimes.signInLink,
});

/** The code of a link for who has its token; from then on the code is right. Throws `mail_token_invalid`. */
export async function showLinkCode(
  { project_id, link_id, token }: { project_id: string; link_id: string; token: string },
  mailKey: KeyObject,
  now: Date,
): Promise<Change<{ code: string }>> {
  const invalid = (reason: string) => new ApiError('mail_token_invalid', { reason });
  // The token has 256 bits, and its owner is told apart without a read: nobody else learns or changes anything.
  if (!isMailedToken(token, link_id, mailKey)) throw invalid('the token of another link, or none');
  const link = await getItem<SignInLinkItem>(keys.signInLink(link_id));
  if (link?.project_id !== project_id || link.expires_at <= epochSeconds(now))
    throw invalid('the link was used or has expired');
  if (link.tries >= limits.codeTries) throw invalid('no attempt left');
  const linkUpdate = update(keys.signInLink(link_id), { set: { code_shown: true } }, exists);
  return change({ link: linkUpdate }, { code: linkCode(link_id, mailKey) });
}

/** What a browser shows to sign in by a link. */
type Proof = {
  project_id: string;
  link_id: string;
  verifier: string;
  token?: string | undefined;
  code?: string | undefined;
};

/** Throws `invalid_request` unless there is either a token or a code. */
export function requireTokenOrCode({ token, code }: Pick<Proof, 'token' | 'code'>): void {
  if ((token === undefined) === (code === undefined))
    throw invalidField('/body/token', 'Must have either token or code');
}

/**
 * Verifies the token or the code of a link, and the verifier, after it has counted the attempt. Throws
 * `invalid_credentials`, whichever of them is wrong.
 */
export async function verifyLink(
  { project_id, link_id, verifier, token, code }: Proof,
  now: Date,
): Promise<SignInLinkItem> {
  const [mailKey, link] = await Promise.all([
    getMailKey(),
    countCodeAttempt<SignInLinkItem>(keys.signInLink(link_id), project_id, now),
  ]);
  const isRequester = equalInConstantTime(sha256(verifier), link.challenge);
  const mailed =
    token === undefined
      ? link.code_shown === true && isLinkCode(code ?? '', link_id, mailKey)
      : isMailedToken(token, link_id, mailKey);
  if (!isRequester || !mailed)
    throw new ApiError('invalid_credentials', {
      reason: isRequester ? 'wrong token or code' : 'of another browser',
    });
  return link;
}
