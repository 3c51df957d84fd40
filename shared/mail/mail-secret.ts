import { timingSafeEqual } from 'node:crypto';
import { secretReader } from '../access/secrets-manager.ts';
import { env } from '../model/env.ts';
import { derive, deriveText, derivingKey } from '../model/hmac.ts';

/** The key of what is mailed. */
export const getMailKey = /* @__PURE__ */ secretReader(() => env.mailSecretId(), derivingKey);

/**
 * The token of a mail: 256 bits, base64url. It is derived, so that whoever writes the mail and whoever sends it later
 * need not hand it over in the table, and a mail that is composed again brings the same one.
 */
export const mailedToken = (mail_id: string, key: Buffer): string =>
  deriveText(`token ${mail_id}`, key);

/** The code of a mail: six digits. 48 bits modulo a million favours no code by more than one in 10^8. */
export const mailedCode = (mail_id: string, key: Buffer): string =>
  String(derive(`code ${mail_id}`, key).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');

/** Whether a code of six digits is that of the mail; in constant time. */
export const isMailedCode = (code: string, mail_id: string, key: Buffer): boolean =>
  timingSafeEqual(Buffer.from(code), Buffer.from(mailedCode(mail_id, key)));
