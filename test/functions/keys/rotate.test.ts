import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { invoke } from '../../../local/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { startWorld } from '../../support/world.ts';

type Step = 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
type KeyPair = { kid: string; private_key: string };
type Secret = KeyPair & { next: KeyPair; refresh_secret: string };

const minute = 60_000;
const world = await startWorld();
const SecretId = 'signing-keys';
const secrets = new SecretsManagerClient({
  endpoint: world.secrets.endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
const handler = await fromSource('keys.rotate');
const step = (Step: Step, ClientRequestToken: string, timeout = 10_000) =>
  invoke('keys.rotate', handler, { Step, SecretId, ClientRequestToken }, timeout);

/** The secret at a stage: `AWSCURRENT` signs. */
async function secretAt(VersionStage: string): Promise<Secret> {
  const value = await secrets.send(new GetSecretValueCommand({ SecretId, VersionStage }));
  return JSON.parse(value.SecretString ?? '');
}
const published = async (): Promise<string[]> =>
  (await world.call('GET', '/.well-known/jwks.json')).body.keys.map(
    ({ kid }: { kid: string }) => kid,
  );
const kidOf = ({ access_token }: { access_token: string }): string =>
  JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString()).kid;

/** Moves the clock of the service, which runs in this process. */
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A whole rotation, each step as often as told. */
async function rotate(times = 1): Promise<string> {
  const token = randomUUID();
  for (const name of ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const) {
    for (let i = 0; i < times; i += 1) await step(name, token);
  }
  return (await secretAt('AWSCURRENT')).kid;
}

// Every test begins ten minutes after the one before it: no instance trusts what it cached then.
let begin = Date.now();
beforeEach(() => {
  begin += 10 * minute;
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
});
afterEach(() => {
  begin = Math.max(begin, Date.now());
  vi.useRealTimers();
});
afterAll(() => secrets.destroy());

test('a key is published a whole rotation before it signs, and signs only at the end', async () => {
  const token = randomUUID();
  const before = await secretAt('AWSCURRENT');
  const keys = await published();

  await step('createSecret', token);
  const pending = await secretAt('AWSPENDING');
  expect(pending).toEqual({
    ...before.next,
    next: {
      kid: expect.any(String),
      private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY/),
    },
    refresh_secret: before.refresh_secret,
  });
  expect([before.kid, pending.kid]).not.toContain(pending.next.kid);
  expect(keys).toEqual(expect.arrayContaining([before.kid, pending.kid]));
  expect(await published()).toEqual(keys);

  await step('setSecret', token);
  expect(new Set(await published())).toEqual(new Set([...keys, pending.next.kid]));
  expect(kidOf(await world.user())).toBe(before.kid);

  await step('testSecret', token);
  expect((await secretAt('AWSCURRENT')).kid).toBe(before.kid);

  await step('finishSecret', token);
  expect(await secretAt('AWSCURRENT')).toEqual(pending);
  expect(await secretAt('AWSPREVIOUS')).toEqual(before);
});

test('every step may come again, and the whole rotation makes one key', async () => {
  const before = await published();
  const kid = await rotate(2);
  expect(await published()).toHaveLength(before.length + 1);
  expect(await published()).toContain(kid);
});

test('a finished rotation that is run again changes nothing', async () => {
  const token = randomUUID();
  const run = async () => {
    for (const name of ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const) {
      await step(name, token);
    }
    const items = await world.table.query('KEYS');
    // Which write was the last is bookkeeping.
    const keys = items.map((item) => ({ ...item, write_id: undefined }));
    return { keys, secret: await secretAt('AWSCURRENT') };
  };
  expect(await run()).toEqual(await run());
});

test('tokens of the former key stay good, and new ones are of the new key', async () => {
  const before = await world.user();
  const kid = await rotate();
  pass(5 * minute);
  const me = await world.call('GET', '/users/me', before.bearer);
  expect([me.status, me.body.uid]).toEqual([200, before.uid]);
  const after = await world.user();
  expect(kidOf(after)).toBe(kid);
  expect(kidOf(after)).not.toBe(kidOf(before));
  expect((await world.call('GET', '/users/me', after.bearer)).status).toBe(200);
});

test('no session ends: a refresh token from before renews, with an access token from before', async () => {
  const before = await world.user();
  const { refresh_secret } = await secretAt('AWSCURRENT');
  const kid = await rotate();
  expect((await secretAt('AWSCURRENT')).refresh_secret).toBe(refresh_secret);
  pass(29 * 24 * 60 * minute);
  const path = '/sessions/token/refresh';
  const { status, body } = await world.call('POST', path, `Bearer ${before.refresh_token}`, {
    accessToken: before.access_token,
  });
  expect(status).toBe(200);
  expect(kidOf(body)).toBe(kid);
});

test('a former key is gone when no session can hold a token of it any more', async () => {
  const former = (await secretAt('AWSCURRENT')).kid;
  const kid = await rotate();
  const item = await world.table.get({ pk: 'KEYS', sk: `KEY#${former}` });
  const days = (Number(item?.['expires_at']) * 1_000 - Date.now()) / (24 * 60 * minute);
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(32);
  await rotate();
  // Retired once: a later rotation gives it no more time.
  expect(await world.table.get({ pk: 'KEYS', sk: `KEY#${former}` })).toMatchObject({
    expires_at: item?.['expires_at'],
  });
  pass(31 * 24 * 60 * minute);
  expect(await published()).toContain(kid);
  pass(24 * 60 * minute);
  expect(await published()).not.toContain(former);
});

test('testSecret fails for a key that is not published, or not the pending one', async () => {
  const token = randomUUID();
  await step('createSecret', token);
  const { kid } = (await secretAt('AWSPENDING')).next;
  await expect(step('testSecret', token)).rejects.toThrow('does not verify');
  await step('setSecret', token);
  const key = { pk: 'KEYS', sk: `KEY#${kid}` };
  const { n: another } = (await world.table.query('KEYS')).find(({ sk }) => sk !== key.sk) ?? {};
  await world.table.update(key, { n: another });
  await expect(step('testSecret', token)).rejects.toThrow('does not verify');
  await expect(step('setSecret', randomUUID())).rejects.toThrow('no pending version');
  await world.table.delete(key);
});

test('a key that becomes the current one again does not expire', async () => {
  const former = await secretAt('AWSCURRENT');
  await rotate();
  expect(await world.table.get({ pk: 'KEYS', sk: `KEY#${former.kid}` })).toHaveProperty(
    'expires_at',
  );
  const token = randomUUID();
  const SecretString = JSON.stringify(former);
  const VersionStages = ['AWSPENDING'];
  await secrets.send(
    new PutSecretValueCommand({ SecretId, ClientRequestToken: token, SecretString, VersionStages }),
  );
  for (const name of ['setSecret', 'testSecret', 'finishSecret'] as const) await step(name, token);
  expect(await world.table.get({ pk: 'KEYS', sk: `KEY#${former.kid}` })).not.toHaveProperty(
    'expires_at',
  );
});

test('the table never holds a private key or the refresh secret', async () => {
  const { private_key, refresh_secret } = await secretAt('AWSCURRENT');
  const everything = JSON.stringify(await world.table.all());
  const body = private_key.split('\n').slice(1, -2).join('');
  for (const secret of ['PRIVATE KEY', refresh_secret, body.slice(100, 160)])
    expect(everything).not.toContain(secret);
});
