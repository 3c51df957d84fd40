import { equalInConstantTime, sha256 } from '../model/ids.ts';

/** Proof Key for Code Exchange (RFC 7636) with S256: only the client that asked for a code can redeem it. */

/** Section 4.1: 43 to 128 unreserved characters. */
const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

/** Section 4.2: a SHA-256 digest in base64url. */
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

export const isCodeChallenge = (text: string): boolean => challengeForm.test(text);

/** Whether the verifier has the form of the RFC and its digest is the challenge. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  if (!verifierForm.test(verifier) || !isCodeChallenge(challenge)) return false;
  return equalInConstantTime(sha256(verifier), challenge);
}
