import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { env } from '../model/env.ts';
import { deriveEs256Key } from './es256-key.ts';
import type { Signer } from './jws.ts';
import type { Project } from './projects.ts';
import { secretReader } from './secrets-manager.ts';

/** Content of the secret. Only functions that sign may read it. */
const keyPair = {
  kid: z.string(),
  /** RSA 2048, PKCS #8, PEM. */
  private_key: z.string(),
};
const signingSecret = z.strictObject({
  ...keyPair,
  /** The pair that signs after the next rotation. Already published, so that every verifier's cache has it by then. */
  next: z.strictObject(keyPair),
  /**
   * 32 bytes, base64url: authenticates refresh tokens. Kept when the key pair rotates; otherwise every session would
   * end.
   */
  refresh_secret: z.string(),
});
export type SigningSecret = z.output<typeof signingSecret>;
/** The keys of the service. None of them is a `Signer` itself: a project has chosen the algorithm, see `signerFor`. */
export type SigningKeys = { rsa: Signer; refreshSecret: KeyObject };

/** Parses the secret; undefined if invalid. Errors never contain the text, which may be a truncated key. */
export function parseSigningSecret(text: string | undefined): SigningSecret | undefined {
  try {
    return signingSecret.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

/** The current signing keys. */
export const getSigningKeys = /* @__PURE__ */ secretReader(
  () => env.signingSecretId(),
  (text): SigningKeys | undefined => {
    const secret = parseSigningSecret(text);
    return (
      secret && {
        rsa: { kid: secret.kid, privateKey: createPrivateKey(secret.private_key) },
        refreshSecret: createSecretKey(secret.refresh_secret, 'base64url'),
      }
    );
  },
);

/** The ES256 key beside the RSA key of an id, because deriving takes longer than signing. */
let derived: { from: string; signer: Signer } | undefined;

/** The key pair that signs the tokens of a project: of the algorithm that it has chosen. */
export function signerFor(
  { token_algorithm }: Pick<Project, 'token_algorithm'>,
  { rsa }: SigningKeys,
): Signer {
  if (token_algorithm !== 'ES256') return rsa;
  if (derived?.from !== rsa.kid) {
    const { kid, privateKey } = deriveEs256Key(rsa);
    derived = { from: rsa.kid, signer: { kid, privateKey } };
  }
  return derived.signer;
}
