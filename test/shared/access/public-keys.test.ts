/** @module-tag engine */
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  getPublicKey,
  listPublicKeys,
  listPublishedKeys,
  publishKey,
  retireKeysBut,
} from '#shared/access/public-keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { exception } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { atWindow, pass } from '../../support/started.ts';

// The clock advances from test to test, so that cached entries expire.
pass(0);
const faults = await openFaultyTable();
const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const publish = (kid: string) => request(() => publishKey({ kid, n: jwk.n ?? '', e: jwk.e ?? '' }));
const knows = (kid: string) => request(async () => (await getPublicKey(kid)) !== undefined);
const published = async () => (await request(listPublicKeys)).map(({ kid }) => kid);
const shown = async () => (await request(listPublishedKeys)).map(({ kid }) => kid);
const elapse = (seconds: number) => pass(seconds * 1_000);

beforeAll(() => publish('a'));
// Every test begins with a fresh cache: after an hour everything is read again.
beforeEach(async () => {
  elapse(3_600);
  await knows('a');
  faults.reset();
});

test('known keys are cached for 5 minutes', async () => {
  elapse(lifetimes.publicKeyCache - 1);
  expect(await knows('a')).toBe(true);
  expect(faults.calls).toHaveLength(0);
  elapse(1);
  expect(await knows('a')).toBe(true);
  expect(faults.calls).toHaveLength(1);
});

test('invented ids cause at most one read per 10 s', async () => {
  const invent = async (times: number) => {
    const ids = Array.from({ length: times }, (_, i) => knows(`invented-${i}`));
    expect(await Promise.all(ids)).toEqual(Array(times).fill(false));
    return faults.calls.length;
  };
  expect(await invent(50)).toBe(0);
  elapse(9);
  expect(await invent(50)).toBe(0);
  elapse(1);
  expect(await invent(50)).toBe(1);
  elapse(9);
  expect(await invent(50)).toBe(1);
  elapse(1);
  expect(await invent(1)).toBe(2);
  expect(await knows('__proto__')).toBe(false);
});

test('a new key is found within 10 s, by concurrent requests too, while the others keep working', async () => {
  await publish('b');
  expect(await knows('b')).toBe(false);
  elapse(10);
  expect(await Promise.all([knows('b'), knows('b')])).toEqual([true, true]);
  expect(await knows('a')).toBe(true);
});

test('publishing a key twice changes nothing', async () => {
  const before = await request(listPublicKeys);
  await publish('a');
  expect(await request(listPublicKeys)).toEqual(before);
});

test('a failed read is not cached', async () => {
  elapse(lifetimes.publicKeyCache);
  faults.inject(exception('ValidationException'));
  await expect(knows('a')).rejects.toMatchObject({ name: 'ValidationException' });
  expect(await knows('a')).toBe(true);
});

test('while reads fail, an invented id removes no cached key', async () => {
  elapse(10);
  faults.inject(exception('ValidationException'), { times: 3 });
  const both = await Promise.allSettled([knows('invented'), knows('a')]);
  expect(both).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: true }]);
  expect(await knows('a')).toBe(true);
  expect(faults.calls).toHaveLength(1);
});

test('a retired key is published while tokens live, and verifies as long as a session may have one', async () => {
  await publish('b');
  atWindow(1, 0);
  await request(() => retireKeysBut(['b']));
  // The last instance that signs with it read the secret just before.
  elapse(lifetimes.secretCache);
  elapse(lifetimes.actingSession + lifetimes.clockTolerance - 1);
  expect(await shown()).toEqual(['a', 'b']);
  elapse(1);
  expect(await shown()).toEqual(['b']);
  elapse(86_400 - lifetimes.secretCache - lifetimes.actingSession - lifetimes.clockTolerance);
  await request(() => retireKeysBut(['b']));
  expect(await published()).toEqual(['a', 'b']);
  elapse(lifetimes.sessionIdle + lifetimes.accessToken - 1);
  expect(await published()).toEqual(['a', 'b']);
  elapse(1);
  expect(await published()).toEqual(['b']);
  expect(await knows('a')).toBe(false);
});

test('a key that is used again no longer expires, and an ES256 key sorts after all RSA keys', async () => {
  await publish('again');
  await request(() => retireKeysBut(['b']));
  await request(() => retireKeysBut(['b', 'again']));
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  await request(() => publishKey({ kid: 'a-ES256', x, y }));
  const found = await request(listPublicKeys);
  expect(found.find((key) => key.kid === 'again')).not.toHaveProperty('expires_at');
  expect(found.at(-1)?.kid).toBe('a-ES256');
  elapse(10);
  expect(await knows('a-ES256')).toBe(true);
});

test('an unknown item beside the keys is ignored', async () => {
  await faults.seed([{ pk: 'KEYS', sk: 'KEY_OF_LATER#c', kid: 'c' }]);
  await publish('d');
  elapse(lifetimes.publicKeyCache);
  expect([await knows('c'), await knows('d')]).toEqual([false, true]);
});
