import { createPrivateKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { env } from '../model/env.ts';
import { secretReader } from './secrets-manager.ts';

/** What the secret holds. Only functions that sign may read it. */
const keyPair = {
  kid: z.string(),
  /** RSA 2048, PKCS #8, PEM. */
  private_key: z.string(),
};
const signingSecret = z.strictObject({
  ...keyPair,
  /** What the next rotation will sign with; published already, so that every verifier's cache knows it by then. */
  next: z.strictObject(keyPair),
  /** 32 bytes, base64url: authenticates refresh tokens. Kept when the key pair rotates, or every session would end. */
  refresh_secret: z.string(),
});
export type SigningSecret = z.output<typeof signingSecret>;
export type SigningKeys = { kid: string; privateKey: KeyObject; refreshSecret: Buffer };

/** The content of the secret, or undefined where it is none. Says nothing of the text: it may be a key that is cut off. */
export function parseSigningSecret(text: string | undefined): SigningSecret | undefined {
  try {
    return signingSecret.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

/** The keys that sign. */
export const getSigningKeys = /* @__PURE__ */ secretReader(
  () => env.signingSecretId(),
  (text): SigningKeys | undefined => {
    const secret = parseSigningSecret(text);
    return (
      secret && {
        kid: secret.kid,
        privateKey: createPrivateKey(secret.private_key),
        refreshSecret: Buffer.from(secret.refresh_secret, 'base64url'),
      }
    );
  },
);
