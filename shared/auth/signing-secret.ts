import { createPrivateKey, type KeyObject } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { env } from '../env.ts';
import { Failure } from '../errors.ts';
import { lifetimes } from '../limits.ts';
import { currentRequest } from '../request.ts';

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

const secrets = new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 300, requestTimeout: 1_000, throwOnRequestTimeout: true },
});

/** The content of the secret, or undefined where it is none. Says nothing of the text: it may be a key that is cut off. */
export function parseSigningSecret(text: string | undefined): SigningSecret | undefined {
  try {
    return signingSecret.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

let cached: { at: number; keys: Promise<SigningKeys> } | undefined;

/** The keys that sign, read again every 5 minutes. */
export function getSigningKeys(): Promise<SigningKeys> {
  const { now, signal } = currentRequest();
  if (cached && now.getTime() - cached.at < lifetimes.signingKeyCache * 1_000) return cached.keys;
  const reading = { at: now.getTime(), keys: read(signal) };
  cached = reading;
  reading.keys.catch(() => {
    if (cached === reading) cached = undefined;
  });
  return reading.keys;
}

async function read(abortSignal: AbortSignal): Promise<SigningKeys> {
  const command = new GetSecretValueCommand({ SecretId: env.signingSecretId() });
  const { SecretString } = await secrets.send(command, { abortSignal }).catch((cause: unknown) => {
    throw new Failure('temporarily_unavailable', { retryAfter: 1, cause });
  });
  const secret = parseSigningSecret(SecretString);
  if (!secret)
    throw new Failure('temporarily_unavailable', {
      retryAfter: 1,
      cause: new Error('The signing secret holds no key: its rotation has not run yet.'),
    });
  const { kid, private_key, refresh_secret } = secret;
  return {
    kid,
    privateKey: createPrivateKey(private_key),
    refreshSecret: Buffer.from(refresh_secret, 'base64url'),
  };
}
