import { importPKCS8, SignJWT } from 'jose';
import { getSecretValue } from '../access/get-secret-value.ts';
import type { SignInProvider } from '../access/projects.ts';
import { epochSeconds } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import { baseOf } from '../model/provider-presets.ts';
import { providerSecretName, providerSecretOf } from '../model/provider-secret.ts';
import { ReadCache } from '../model/read-cache.ts';

const cache = new ReadCache<string>(1_000);

/**
 * The secret of a project at a provider, at most a minute old. Rejects if none is set, or one of another client or
 * issuer than the provider has.
 */
export async function readProviderSecret(
  project_id: string,
  name: string,
  provider: SignInProvider,
): Promise<string> {
  const secret = providerSecretOf(provider, await readText(project_id, name));
  if (secret !== undefined) return secret;
  throw new Error('The secret was set for another client or issuer: set it again');
}

function readText(project_id: string, provider: string): Promise<string> {
  const { now, signal } = currentRequest();
  const id = providerSecretName(env.providerSecretsPrefix(), project_id, provider);
  return cache.read(id, now, providerLifetimes.secret, () => getSecretValue(id, signal));
}

/** Seconds for which a client secret of Apple is valid: it is used once. */
const appleSecretLife = 300;

/** The client secret for the token endpoint: what is stored, or for Apple a JWT that the stored private key signs. */
export async function clientSecretOf(
  { preset, client_id, team_id = '', key_id = '', ...named }: SignInProvider,
  stored: string,
): Promise<string> {
  if (preset !== 'apple') return stored;
  const key = await importPKCS8(stored, 'ES256').catch(() => {
    // Not the cause: it may repeat the key.
    throw new Error('The stored secret is no private key of Apple (PKCS #8 in PEM)');
  });
  const iat = epochSeconds(currentRequest().now);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: key_id })
    .setIssuer(team_id)
    .setSubject(client_id)
    .setAudience(baseOf({ preset, ...named }))
    .setIssuedAt(iat)
    .setExpirationTime(iat + appleSecretLife)
    .sign(key);
}
