import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { IdentityProvider } from '#shared/access/projects.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { failureOf, refusal, verify } from '../../support/identity-tokens.ts';
import { rs256, type Signer, startOpenidProvider } from '../../support/openid-provider.ts';
import { serve } from '../../support/serve.ts';

const openid = await startOpenidProvider();
const { issuer, idToken, forge, signed } = openid;
const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true };

let addresses = 0;
/** The provider with another address of its keys, so that none of them is cached. */
function fresh(jwks_uri = openid.jwks_uri): IdentityProvider {
  addresses += 1;
  return { issuer, jwks_uri: `${jwks_uri}?${addresses}`, client_ids: [openid.client_id] };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

function publicKey(): string {
  const { kid, publicKey: key } = openid.signingKey();
  return JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid }] });
}

/** The number of times that the work reads the keys. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  const before = openid.keysRead();
  await work();
  return openid.keysRead() - before;
}

describe('the keys of a provider', () => {
  test('are read once for many tokens, and again after the cache expires', async () => {
    const provider = fresh();
    const token = await idToken(ada);
    const once = await reads(() =>
      Promise.all(Array.from({ length: 20 }, () => verify(token, provider))),
    );
    expect(once).toBe(1);
    later(lifetimes.publicKeyCache - 1);
    expect(await reads(() => verify(token, provider))).toBe(0);
    later(1);
    expect(await reads(() => verify(token, provider))).toBe(1);
  });

  test('are read again for an unknown key id, and then verify its token', async () => {
    const provider = fresh();
    await verify(await idToken(ada), provider);
    openid.rotateKeys({ keep: true });
    const token = await idToken(ada);
    expect(await refusal(token, provider)).toMatch(/no key/);
    later(lifetimes.publicKeyReread);
    expect(await reads(() => verify(token, provider))).toBe(1);
  });

  test('verify earlier tokens as long as the provider publishes them', async () => {
    const provider = fresh();
    const old = await idToken(ada);
    openid.rotateKeys({ keep: true });
    expect(await verify(old, provider)).toMatchObject({ subject: 'ada' });
    openid.rotateKeys();
    expect(await verify(old, provider)).toMatchObject({ subject: 'ada' });
    later(lifetimes.publicKeyCache);
    expect(await refusal(old, provider)).toMatch(/no key/);
    expect(await verify(await idToken(ada), provider)).toMatchObject({ subject: 'ada' });
  });

  test('are not read again for each invented key id', async () => {
    const provider = fresh();
    await verify(await idToken(ada), provider);
    const invented = async () => {
      for (let n = 0; n < 50; n += 1) await refusal(forge({}, { kid: `invented ${n}` }), provider);
    };
    expect(await reads(invented)).toBe(0);
    later(lifetimes.publicKeyReread - 1);
    expect(await reads(invented)).toBe(0);
    later(1);
    expect(await reads(invented)).toBe(1);
  });

  test('are cached for the hundred most recently used providers', async () => {
    const first = fresh();
    const token = await idToken(ada);
    await verify(token, first);
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 99; n += 1) await verify(token, fresh());
      expect(await reads(() => verify(token, first))).toBe(0);
    }
    for (let n = 0; n < 100; n += 1) await verify(token, fresh());
    expect(await reads(() => verify(token, first))).toBe(1);
  });

  test('are read without keep-alive: a kept connection would be dead when a frozen instance wakes', async () => {
    const connections: unknown[] = [];
    const at = await serve(({ headers }, response) => {
      connections.push(headers.connection);
      response.end(publicKey());
    });
    await verify(signed({}), fresh(at));
    expect(connections).toEqual(['close']);
  });

  test('do not verify the tokens of another provider with the same key id', async () => {
    const other = await startOpenidProvider();
    const { kid } = openid.signingKey();
    const forged = other.forge({ iss: issuer }, { kid }, rs256(other.signingKey().privateKey));
    await verify(other.signed({}), { ...other, client_ids: [other.client_id] });
    expect(await refusal(forged, fresh())).toMatch(/signature/);
  });
});

describe('keys that cannot be read make the service temporarily unavailable', () => {
  /** The response does not blame the token, and has a retry time. */
  async function expectUnavailable(jwks_uri: string, budget = 2_500): Promise<void> {
    const failure = await failureOf(verify(signed({}), fresh(jwks_uri), { budget }));
    expect(failure).toMatchObject({
      code: 'temporarily_unavailable',
      retryAfter: 1,
      detail: "The identity provider's keys cannot be read right now",
    });
    expect(failure.cause).toBeInstanceOf(Error);
  }

  test('when nothing listens at the address', async () => {
    const gone = await startOpenidProvider();
    await gone.close();
    await expectUnavailable(gone.jwks_uri);
  });

  test('when the provider redirects: no redirect is followed', async () => {
    let followed = 0;
    const elsewhere = await serve((_, response) => {
      followed += 1;
      response.end(publicKey());
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: elsewhere };
      await expectUnavailable(
        await serve((_, response) => response.writeHead(status, headers).end()),
      );
    }
    expect(followed).toBe(0);
  });

  const filled = () => publicKey().replace('{', `{"x":"${'x'.repeat(300_000)}",`);
  test.each([
    ['404', 404, publicKey],
    ['500', 500, publicKey],
    ['no content', 204, () => ''],
    ['a page', 200, () => '<html>'],
    ['no set', 200, () => '{"keys": {}}'],
    ['an empty set', 200, () => '{"keys": []}'],
    ['nothing', 200, () => ''],
    ['a set that is too large', 200, filled],
  ])('when the response is %s', async (_, status, body) => {
    await expectUnavailable(await serve((__, response) => response.writeHead(status).end(body())));
  });

  test('when the response does not end', async () => {
    let sent = 0;
    const at = await serve((_, response) => {
      const more = () => {
        sent += 65_536;
        if (!response.destroyed && sent < 1e8) response.write('x'.repeat(65_536), more);
      };
      more();
    });
    await expectUnavailable(at);
    expect(sent).toBeLessThan(1e8);
  });

  test('by the deadline of the request', async () => {
    const silent = await serve(() => undefined);
    const halting = await serve((_, response) => response.writeHead(200).write('{"keys":'));
    for (const at of [silent, halting]) {
      let given = 0;
      const patient = expectUnavailable(at, 10_000).then(() => (given += 1));
      await expectUnavailable(at, 200);
      expect(given).toBe(0);
      await patient;
    }
  });

  test('early enough to leave time for the table in a long request', async () => {
    const unavailable = expectUnavailable(await serve(() => undefined), 20_000);
    const first = [unavailable.then(() => 'unavailable'), sleep(12_000, 'the deadline is near')];
    expect(await Promise.race(first)).toBe('unavailable');
  });

  test.each([
    ['503', 503, ''],
    ['an empty set', 200, '{"keys": []}'],
  ])(
    'only for tokens that need them, where the response is %s: cached keys still verify, and keys are read again later',
    async (_, status, none) => {
      let up = true;
      const at = await serve((_request, response) =>
        up ? response.end(publicKey()) : response.writeHead(status).end(none),
      );
      const provider = fresh(at);
      await verify(signed({}), provider);
      up = false;
      expect(await verify(signed({}), provider)).toMatchObject({ issuer });
      later(lifetimes.publicKeyReread);
      const unknown = forge({}, { kid: 'unknown' });
      expect((await failureOf(verify(unknown, provider))).code).toBe('temporarily_unavailable');
      expect(await verify(signed({}), provider)).toMatchObject({ issuer });
      later(lifetimes.publicKeyCache);
      expect((await failureOf(verify(signed({}), provider))).code).toBe('temporarily_unavailable');
      up = true;
      expect(await verify(signed({}), provider)).toMatchObject({ issuer });
    },
  );
});

const on = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

describe('a key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [p256, p384, p521] = [on('P-256'), on('P-384'), on('P-521')];
  const ed = generateKeyPairSync('ed25519');
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const jwk = (key: KeyObject, more: object) => ({ ...key.export({ format: 'jwk' }), ...more });
  const by =
    (hash: string | null, key: KeyObject, options: object = {}): Signer =>
    (text) =>
      sign(hash, Buffer.from(text), { key, ...options });
  const pss = (saltLength: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  const ieee = { dsaEncoding: 'ieee-p1363' };
  const publishing = async (...keys: object[]) =>
    fresh(await serve((_, response) => response.end(JSON.stringify({ keys }))));

  test.each([
    ['RS256', rsa.publicKey, by('sha256', rsa.privateKey)],
    ['RS384', rsa.publicKey, by('sha384', rsa.privateKey)],
    ['RS512', rsa.publicKey, by('sha512', rsa.privateKey)],
    ['PS256', rsa.publicKey, by('sha256', rsa.privateKey, pss(32))],
    ['PS384', rsa.publicKey, by('sha384', rsa.privateKey, pss(48))],
    ['PS512', rsa.publicKey, by('sha512', rsa.privateKey, pss(64))],
    ['ES256', p256.publicKey, by('sha256', p256.privateKey, ieee)],
    ['ES384', p384.publicKey, by('sha384', p384.privateKey, ieee)],
    ['ES512', p521.publicKey, by('sha512', p521.privateKey, ieee)],
    ['EdDSA', ed.publicKey, by(null, ed.privateKey)],
    ['Ed25519', ed.publicKey, by(null, ed.privateKey)],
  ])('for %s verifies', async (alg, key, signer) => {
    const provider = await publishing(jwk(key, { kid: 'one', alg }));
    const token = forge({}, { kid: 'one', alg }, signer);
    expect(await verify(token, provider)).toMatchObject({ issuer });
  });

  test('needs no id if it is the only one', async () => {
    const token = forge({}, { kid: undefined }, by('sha256', rsa.privateKey));
    const key = jwk(rsa.publicKey, { kid: 'one' });
    expect(await verify(token, await publishing(key))).toMatchObject({ issuer });
    const two = await publishing(key, jwk(openid.stranger().publicKey, { kid: 'two' }));
    expect(await refusal(token, two)).toMatch(/which of the provider's keys/);
  });

  test.each([
    ['for another algorithm', rsa, { alg: 'PS256' }, /no key/],
    ['for encryption', rsa, { use: 'enc' }, /no key/],
    ['of another kind', p256, {}, /no key/],
    ['of 1024 bits', weak, {}, /cannot verify/],
  ])('%s is not used', async (_, pair, more, reason) => {
    const provider = await publishing(jwk(pair.publicKey, { kid: 'one', ...more }));
    const signer = by('sha256', pair.privateKey);
    expect(await refusal(forge({}, { kid: 'one' }, signer), provider)).toMatch(reason);
  });

  test('that is a symmetric secret does not allow HS256', async () => {
    const provider = await publishing({ kty: 'oct', k: 'c2VjcmV0', kid: 'one', alg: 'HS256' });
    expect(await refusal(forge({}, { kid: 'one', alg: 'HS256' }), provider)).toMatch(/algorithm/);
  });

  test('that the provider published with its private half is not used', async () => {
    const provider = await publishing(jwk(rsa.privateKey, { kid: 'one' }));
    const token = forge({}, { kid: 'one' }, by('sha256', rsa.privateKey));
    expect((await failureOf(verify(token, provider))).code).toBe('temporarily_unavailable');
  });
});
