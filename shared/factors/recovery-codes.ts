import { type KeyObject, randomInt } from 'node:crypto';
import { deriveText } from '../model/hmac.ts';
import { limits } from '../model/limits.ts';

/** 32 characters that nobody takes for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';

const newGroup = (): string =>
  Array.from({ length: 5 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** A new recovery code, `k7m2x-9qd4r-w5hep`: 75 random bits, so that wrong ones need no limit. */
const newCode = (): string => Array.from({ length: 3 }, newGroup).join('-');

/** Ten new recovery codes and their digests. */
export function newRecoveryCodes(uid: string, key: KeyObject) {
  const recovery_codes = Array.from({ length: limits.recoveryCodes }, newCode);
  return {
    recovery_codes,
    digests: recovery_codes.map((code) => recoveryCodeDigest(code, uid, key)),
  };
}

/**
 * The digest of a recovery code, in any case and with or without hyphens. It is keyed, so that nobody who reads the
 * table can try out all codes.
 */
export const recoveryCodeDigest = (code: string, uid: string, key: KeyObject): string =>
  deriveText(`recovery ${uid} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`, key);
