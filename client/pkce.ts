import { encodeBase64url } from './base64.ts';

/** 256 random bits. */
export const randomToken = (): string =>
  encodeBase64url(crypto.getRandomValues(new Uint8Array(32)));

/** The challenge of a verifier: its SHA-256 digest (S256 of RFC 7636). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return encodeBase64url(new Uint8Array(digest));
}
