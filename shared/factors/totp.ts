import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../model/ids.ts';

/** Time-based one-time passwords as every authenticator app makes them: RFC 6238 with SHA-1, 30 seconds, 6 digits. */

const period = 30;
const digits = 6;
/** Steps before and after the present one that are accepted, for clocks that differ and people who type slowly. */
const tolerance = 1;

/** The code of a secret at a step (RFC 4226 section 5.3). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The number of 30-second periods since 1970. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / period);

/**
 * The step of a six-digit code, if it is the code of a step around now that comes after the last used one. Compares
 * with each in constant time.
 */
export function matchingStep(
  code: string,
  secret: Buffer,
  { now, after = -1 }: { now: Date; after?: number | undefined },
): number | undefined {
  const currentStep = stepAt(now);
  let found: number | undefined;
  for (let step = currentStep + tolerance; step >= currentStep - tolerance; step -= 1) {
    const isSame = equalInConstantTime(code, codeAt(secret, step));
    if (isSame && step > after) found = step;
  }
  return found;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648 section 6), of a length that needs none. */
export function encodeBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.replace(/.{5}/g, (five) => alphabet.charAt(Number.parseInt(five, 2)));
}

/** What an authenticator app reads from a QR code (Google's Key URI format). */
export function otpauthUri(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
) {
  // A colon ends the issuer in the label.
  const [name, of] = [issuer, account].map((text) => encodeURIComponent(text.replaceAll(':', ' ')));
  const parameters = `secret=${secret}&issuer=${name}&algorithm=SHA1&digits=${digits}&period=${period}`;
  return `otpauth://totp/${name}:${of}?${parameters}`;
}
