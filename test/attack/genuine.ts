import { createPublicKey } from 'node:crypto';
import type { Person, World } from '../support/world.ts';
import type { Target } from './forgeries.ts';
import { byKey, compact } from './tokens.ts';

/**
 * A user's access token as the basis of forgeries, and its signing key. Import after the world has started, because the
 * imports here read its environment.
 */
export async function genuineTokenOf(world: World, person: Person) {
  const { getSigningKeys } = await import('#shared/access/signing-keys.ts');
  const { runInRequest } = await import('#shared/db/request-context.ts');
  const { rsa } = await runInRequest('test', 2_500, getSigningKeys);
  const { kid, privateKey } = rsa;
  const [header, claims] = person.access_token
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const publicKey = createPublicKey(privateKey);
  const target: Target = { genuine: person.access_token, header, claims, publicKey, kid };
  return {
    target,
    privateKey,
    /** Any content with our own signature. */
    signed: (payload: unknown, head: unknown = header) => compact(head, payload, byKey(privateKey)),
    me: (token: string) => world.call('GET', '/users/me', `Bearer ${token}`),
    refresh: (accessToken: string) =>
      world.call('POST', '/sessions/token/refresh', `Bearer ${person.refresh_token}`, {
        accessToken,
      }),
  };
}
