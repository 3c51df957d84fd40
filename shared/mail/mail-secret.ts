import type { KeyObject } from 'node:crypto';
import { secretReader } from '../access/secrets-manager.ts';
import { env } from '../model/env.ts';
import { derive, deriveText, derivingKey } from '../model/hmac.ts';
import { equalInConstantTime } from '../model/ids.ts';

/** Reads the key from which tokens and codes in mails are derived. */
export const getMailKey = /* @__PURE__ */ secretReader(() => env.mailSecretId(), derivingKey);

/**
 * The token of a mail: 256 bits, base64url. It is derived from the mail id, so it need not be stored in the table
 * between creating and sending the mail, and a mail rendered again has the same token.
 */
export const mailedToken = (mail_id: string, key: KeyObject): string =>
  deriveText(`token ${mail_id}`, key);

/** Whether a token is the one of the mail; in constant time. */
export const isMailedToken = (token: string, mail_id: string, key: KeyObject): boolean =>
  equalInConstantTime(token, mailedToken(mail_id, key));

/**
 * The code of a mail: six digits. 48 bits modulo a million: no code is more likely than another by more than one in
 * 10^8.
 */
export const mailedCode = (mail_id: string, key: KeyObject): string =>
  sixDigits(`code ${mail_id}`, key);

/** The code that a mailed sign-in link shows where it was not asked for. */
export const linkCode = (link_id: string, key: KeyObject): string =>
  sixDigits(`link code ${link_id}`, key);

const sixDigits = (about: string, key: KeyObject): string =>
  String(derive(about, key).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');

/** Whether a six-digit code is the one of the mail; in constant time. */
export const isMailedCode = (code: string, mail_id: string, key: KeyObject): boolean =>
  equalInConstantTime(code, mailedCode(mail_id, key));

/** Whether a six-digit code is the one of the link; in constant time. */
export const isLinkCode = (code: string, link_id: string, key: KeyObject): boolean =>
  equalInConstantTime(code, linkCode(link_id, key));
