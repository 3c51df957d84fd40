import type { Fetch } from '../call.ts';
import { unavailable } from './unavailable.ts';

/** An algorithm of access tokens. No other is verified: neither `none` nor an HMAC keyed with what is public. */
export type Algorithm = 'RS256' | 'ES256';

/** What Web Crypto calls the algorithms, to import a key and to verify with it (RFC 7518 section 3.1). */
const algorithms = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const;

/** A public key of the service, usable with the one algorithm that it was published for. */
export type VerificationKey = {
  alg: Algorithm;
  verify(signature: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<boolean>;
};

/**
 * The service's public keys could not be read, so nothing can be said about a token. Answer 503: the caller may try
 * again with the same token.
 */
export class KeySetError extends Error {
  override readonly name = 'KeySetError';
  readonly code = 'temporarily_unavailable';
  readonly status = 503;
  /** `status`, under the name by which Fastify knows it. */
  readonly statusCode = 503;
  /** The 503, for Hono. */
  readonly getResponse = () => unavailable();
}

// Milliseconds.
/** For which a set is good without asking again, even if its max-age is shorter. */
const minFresh = 300_000;
/** For which a set is good at most, whatever its max-age; and for which it is used while the service is down. */
const maxAge = 86_400_000;
/** Between two requests for an unknown key id or an old set: invented ids of strangers cause no more than these. */
const reread = 30_000;
/** Between two requests as long as there is no set at all. */
const retry = 1_000;
/** After which a request has failed. */
const timeout = 5_000;
/** After which a request is given up that has neither ended nor failed: its instance was frozen, its owner ended. */
const lost = 10_000;

type KeySet = { keys: ReadonlyMap<string, VerificationKey>; at: number; fresh: number };

/**
 * Finds the service's public keys by their id: reads its key set (RFC 7517) when first needed, keeps it as long as the
 * answer allows, at least five minutes, and reads it again for an unknown id at most every 30 s. However many ask, one
 * request is under way. While the service cannot be reached the set is kept for a day.
 *
 * @throws KeySetError if the service cannot be reached and the key is not known
 */
export function createKeySet(url: string, fetchKeys: Fetch) {
  let set: KeySet | undefined;
  let failure: unknown;
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let pendingRead: { at: number; result: Promise<void> } | undefined;

  async function read(): Promise<void> {
    try {
      set = await readKeySet(url, fetchKeys);
      failure = undefined;
    } catch (error) {
      failure = error;
    }
  }

  function readOnce(): Promise<void> {
    if (pendingRead && since(pendingRead.at) < lost) return pendingRead.result;
    lastAttempt = Date.now();
    const attempt = { at: lastAttempt, result: read() };
    pendingRead = attempt;
    return attempt.result.finally(() => {
      if (pendingRead === attempt) pendingRead = undefined;
    });
  }

  return async (kid: string): Promise<VerificationKey | undefined> => {
    const usableSet = () => (set && since(set.at) < maxAge ? set : undefined);
    const currentSet = usableSet();
    const hasKey = currentSet?.keys.has(kid) ?? false;
    if (!hasKey || (currentSet && since(currentSet.at) >= currentSet.fresh)) {
      const isDue = since(lastAttempt) >= (currentSet ? reread : retry);
      // A caller whose key is known does not wait for a read of another: a service that hangs delays one call in 30 s.
      if (isDue || (pendingRead && !hasKey)) await readOnce();
    }
    const key = usableSet()?.keys.get(kid);
    if (key || (usableSet() && failure === undefined)) return key;
    throw new KeySetError(`The key set ${url} could not be read.`, { cause: failure });
  };
}

/** Milliseconds since a time. A clock that was set back makes things old, not fresh for longer. */
const since = (time: number): number => Math.abs(Date.now() - time);

async function readKeySet(url: string, fetchKeys: Fetch): Promise<KeySet> {
  const at = Date.now();
  const response = await fetchKeys(url, {
    headers: { accept: 'application/json' },
    // A redirect could lead to keys of somebody else. Cloudflare Workers know no `error` here.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
  const entries = await Promise.all(keys.map((jwk) => importKey(jwk)));
  const [, seconds = '0'] = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '') ?? [];
  const keysById = new Map(entries.flatMap((entry) => (entry ? [entry] : [])));
  // The keys from before are better than none.
  if (keysById.size === 0) throw new Error(`${url} has no key that verifies access tokens.`);
  return {
    keys: keysById,
    at,
    fresh: Math.min(Math.max(Number(seconds) * 1_000, minFresh), maxAge),
  };
}

/** A key of the set with its id; undefined if it is none to verify access tokens with, which spoils no other. */
async function importKey(
  jwk: Record<string, unknown>,
): Promise<[string, VerificationKey] | undefined> {
  const { kty, crv, kid, use = 'sig', n, e, x, y } = jwk;
  const expectedAlgorithm =
    kty === 'RSA' ? 'RS256' : kty === 'EC' && crv === 'P-256' ? 'ES256' : undefined;
  const { alg = expectedAlgorithm } = jwk;
  if (!expectedAlgorithm || alg !== expectedAlgorithm || use !== 'sig' || typeof kid !== 'string')
    return undefined;
  const algorithm = algorithms[expectedAlgorithm];
  // The public members alone.
  const content: object = expectedAlgorithm === 'RS256' ? { kty, n, e } : { kty, crv, x, y };
  try {
    const key = await crypto.subtle.importKey('jwk', content as { kty: string }, algorithm, false, [
      'verify',
    ]);
    const verify: VerificationKey['verify'] = (signature, data) =>
      crypto.subtle.verify(algorithm, key, signature, data);
    return [kid, { alg: expectedAlgorithm, verify }];
  } catch {
    return undefined;
  }
}
