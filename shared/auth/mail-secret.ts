import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '../env.ts';
import { secretReader } from './secret.ts';

/** The key of what is mailed. Of a text that the stack made: at least 32 characters, or it is none. */
export const getMailKey = /* @__PURE__ */ secretReader(
  () => env.mailSecretId(),
  (text) => (text.length >= 32 ? Buffer.from(text) : undefined),
);

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

/** 256 bits that follow from a name and the key alone, base64url. Names begin with what they are of, so none is two things. */
export const deriveText = (what: string, key: Buffer): string =>
  derive(what, key).toString('base64url');

function derive(what: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(what).digest();
}
