/** @module-tag alone */
import { createPrivateKey, randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signAccessToken } from '#shared/access/access-token.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { expectProblem, expectSame } from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;
type Step = (typeof steps)[number];
type Tokens = Pick<Person, 'access_token' | 'refresh_token'>;
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

/** The secret version at a stage: `AWSCURRENT` signs. */
async function secretAt(VersionStage: string): Promise<Secret> {
  const value = await secrets.send(new GetSecretValueCommand({ SecretId, VersionStage }));
  return JSON.parse(value.SecretString ?? '');
}
/** The published keys: past the second for which an instance keeps them. */
async function jwks() {
  vi.setSystemTime(Date.now() + lifetimes.publishedKeys * 1_000);
  return (await world.as().discovery.jwks()).body;
}
const allPublished = async (): Promise<string[]> =>
  (await jwks()).keys.map(({ kid }: { kid: string }) => kid);
/** The RSA keys. Each has an ES256 key beside it. */
async function published(): Promise<string[]> {
  const all = await allPublished();
  const rsa = all.filter((kid) => !kid.endsWith('-ES256'));
  expect(all).toEqual(expect.arrayContaining(rsa.map((kid) => `${kid}-ES256`)));
  return rsa;
}
const itemOf = (kid: string) => world.table.get({ pk: 'KEYS', sk: `KEY#${kid}` });
/** The header of an access token, or its claims. */
const partOf = ({ access_token }: Pick<Tokens, 'access_token'>, part: 0 | 1) =>
  JSON.parse(Buffer.from(access_token.split('.')[part] ?? '', 'base64url').toString());
const kidOf = (tokens: Tokens): string => partOf(tokens, 0).kid;

/** Moves the clock of the service, which runs in this process. */
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A whole rotation, in which each step runs `times` times. */
async function rotate({ times = 1, token = randomUUID() } = {}): Promise<string> {
  for (const name of steps) for (let i = 0; i < times; i += 1) await step(name, token);
  return (await secretAt('AWSCURRENT')).kid;
}

// Every test begins ten minutes after the previous one, so that the instance's caches have expired.
let begin = Date.now();
beforeEach(() => {
  begin += 10 * minute;
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
});
afterEach(() => {
  begin = Math.max(begin, Date.now());
});
afterAll(() => secrets.destroy());

test('a key is published a whole rotation before it signs, and signs only after the last step', async () => {
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

test('a rotation whose steps each run twice makes one key', async () => {
  const before = await published();
  const kid = await rotate({ times: 2 });
  expect(await published()).toHaveLength(before.length + 1);
  expect(await published()).toContain(kid);
});

test('a finished rotation that runs again changes nothing', async () => {
  const token = randomUUID();
  const run = async () => {
    await rotate({ token });
    const items = await world.table.query('KEYS');
    // `write_id` names the last write, which may differ.
    const keys = items.map((item) => ({ ...item, write_id: undefined }));
    return { keys, secret: await secretAt('AWSCURRENT') };
  };
  expect(await run()).toEqual(await run());
});

test('a former key is published while one of its tokens is valid, and kept while a session can have one', async () => {
  const former = (await secretAt('AWSCURRENT')).kid;
  await rotate();
  const item = await itemOf(former);
  const days = (Number(item?.['expires_at']) * 1_000 - Date.now()) / (24 * 60 * minute);
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(32);
  await rotate();
  // The retirement time is set once: a later rotation does not extend it.
  expect(await itemOf(former)).toMatchObject({ expires_at: item?.['expires_at'] });
  pass(65 * minute);
  expect(await published()).toContain(former);
  pass(2 * minute);
  expect(await published()).not.toContain(former);
  // The signing key and the next one: AWS load balancers accept at most ten keys in a set.
  expect(await allPublished()).toHaveLength(4);
});

test('testSecret fails for a key that is not published or not the pending one', async () => {
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
  expect(await itemOf(former.kid)).toHaveProperty('expires_at');
  const { kid, private_key } = former;
  const stored = { ...(await secretAt('AWSCURRENT')), next: { kid, private_key } };
  const SecretString = JSON.stringify(stored);
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  expect(await rotate()).toBe(kid);
  expect(await itemOf(kid)).not.toHaveProperty('expires_at');
});

describe('a version that the operator stores', () => {
  const store = async () => {
    const stored = { ...(await secretAt('AWSCURRENT')), refresh_secret: randomUUID() };
    const SecretString = JSON.stringify(stored);
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
    return stored;
  };

  // Secrets Manager refuses a rotation while a version that is not the current one is AWSPENDING.
  test('is rotated as any other, because a finished rotation leaves no AWSPENDING version', async () => {
    await rotate();
    const { next, refresh_secret } = await store();
    await expect(secretAt('AWSPENDING')).rejects.toThrow("can't find");
    await rotate();
    expect(await secretAt('AWSCURRENT')).toMatchObject({ kid: next.kid, refresh_secret });
  });

  test('is not replaced by a rotation that began before', async () => {
    const token = randomUUID();
    for (const name of steps.slice(0, 3)) await step(name, token);
    const stored = await store();
    await expect(step('finishSecret', token)).rejects.toThrow('was dropped');
    expect(await secretAt('AWSCURRENT')).toEqual(stored);
    await rotate();
  });

  test('is not replaced by a rotation that an earlier release left unfinished', async () => {
    const token = randomUUID();
    await rotate({ token });
    await secrets.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSPENDING',
        MoveToVersionId: token,
      }),
    );
    const stored = await store();
    for (const _ of ['again', 'and again'])
      await expect(step('createSecret', token)).rejects.toThrow('was dropped');
    await expect(secretAt('AWSPENDING')).rejects.toThrow("can't find");
    expect(await secretAt('AWSCURRENT')).toEqual(stored);
    await rotate();
    expect(await secretAt('AWSCURRENT')).toMatchObject({ refresh_secret: stored.refresh_secret });
  });
});

test('the table never contains a private key or the refresh secret', async () => {
  const { private_key, refresh_secret } = await secretAt('AWSCURRENT');
  const everything = JSON.stringify(await world.table.all());
  const body = private_key.split('\n').slice(1, -2).join('');
  for (const secret of ['PRIVATE KEY', refresh_secret, body.slice(100, 160)])
    expect(everything).not.toContain(secret);
});

describe('over HTTP', () => {
  const getMe = ({ access_token }: Pick<Tokens, 'access_token'>) =>
    world.as(`Bearer ${access_token}`).users.getMe();
  /** A token for the next ten minutes with the claims of another, signed by the given key. */
  const signedBy = ({ kid, private_key }: KeyPair, token: Tokens) => {
    const iat = Math.floor(Date.now() / 1_000);
    const content = { ...partOf(token, 1), iat, exp: iat + 600 };
    return {
      access_token: signAccessToken(content, { kid, privateKey: createPrivateKey(private_key) }),
    };
  };

  test('tokens of the former key stay valid until they expire, beside those of the new key', async () => {
    const before = await world.user();
    const kid = await rotate();
    pass(5 * minute);
    const after = await world.user();
    expect(kidOf(after)).toBe(kid);
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect((await getMe(after)).status).toBe(200);
    const me = await getMe(before);
    expect([me.status, me.body]).toEqual([200, before.user]);
    pass(5 * minute - 1_000);
    expect((await getMe(before)).status).toBe(200);
    pass(minute);
    // The token expired normally after ten minutes; the key is still accepted.
    expectProblem(await getMe(before), 'token_expired');
    const cut = { access_token: before.access_token.slice(0, -4) };
    expectProblem(await getMe(cut), 'unauthenticated');
  });

  test('a token stays valid over two rotations, and its session can be refreshed', async () => {
    const before = await world.user();
    await rotate();
    await rotate();
    pass(9 * minute);
    expect((await getMe(before)).status).toBe(200);
    const next = await world.renew(before);
    expect([next.status, kidOf(next.body)]).toEqual([200, (await secretAt('AWSCURRENT')).kid]);
    expect((await getMe(next.body)).body).toEqual(before.user);
  });

  test('a refresh retried after a rotation returns the same session and the same claims', async () => {
    const before = await world.user();
    const first = await world.renew(before);
    await rotate();
    pass(59_000);
    const again = await world.renew(before);
    expect(again.status).toBe(200);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect(partOf(again.body, 1)).toEqual(partOf(first.body, 1));
    for (const tokens of [first.body, again.body]) expect((await getMe(tokens)).status).toBe(200);
    expect((await world.renew(again.body)).status).toBe(200);
  });

  test('an instance that has not seen the new key accepts its tokens', async () => {
    // Signing reads the secret now, verifying reads the keys later: both happen in this process.
    const person = await world.user();
    pass(4 * minute);
    expect((await getMe(person)).status).toBe(200);
    const known = await published();
    await rotate();
    await rotate();
    const { kid } = await secretAt('AWSCURRENT');
    expect(known).not.toContain(kid);
    pass(minute + 1_000);
    const next = await world.renew(person);
    expect(kidOf(next.body)).toBe(kid);
    expect((await getMe(next.body)).body).toEqual(person.user);
  });

  test('a verifier that caches the key set over a rotation accepts tokens of the new key', async () => {
    const before = await world.user();
    const kept = await jwks();
    const verify = async ({ access_token }: Tokens, set = kept) => {
      const options = { issuer: world.url, audience: world.project.project_id, typ: 'at+jwt' };
      const verified = await jwtVerify(access_token, createLocalJWKSet(set), options);
      return verified.payload.sub;
    };
    await rotate();
    pass(6 * minute);
    const after = await world.user();
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect(await verify(before)).toBe(before.uid);
    expect(await verify(after)).toBe(after.uid);
    // An instance that kept the keys for two rotations reads them again because of the unknown `kid`.
    await rotate();
    pass(6 * minute);
    const later = await world.user();
    await expect(verify(later)).rejects.toThrow('no applicable key');
    expect(await verify(later, await jwks())).toBe(later.uid);
  });

  test('a rotation gives an older deployment ES256, also for the key that signs until then', async () => {
    const choose = (token_algorithm: string) =>
      world.operate({ action: 'update', project_id, token_algorithm });
    const project = await world.newProject();
    const { project_id } = project;
    for (const { sk } of await world.table.query('KEYS', 'KEY_ES256#'))
      await world.table.delete({ pk: 'KEYS', sk: String(sk) });
    await expect(choose('ES256')).rejects.toThrow('aws secretsmanager rotate-secret');
    const early = { action: 'create', name: 'Early', token_algorithm: 'ES256' };
    await expect(world.operate(early)).rejects.toThrow('aws secretsmanager rotate-secret');

    const { kid } = await secretAt('AWSCURRENT');
    const token = randomUUID();
    await step('createSecret', token);
    await step('setSecret', token);
    await choose('ES256');
    pass(2 * minute);
    const person = await world.user({ project });
    expect(kidOf(person)).toBe(`${kid}-ES256`);
    expect((await getMe(person)).status).toBe(200);
    await step('testSecret', token);
    await step('finishSecret', token);
    pass(6 * minute);
    const next = (await world.renew(person)).body;
    expect(kidOf(next)).toBe(`${(await secretAt('AWSCURRENT')).kid}-ES256`);
    expect((await getMe(next)).status).toBe(200);
  });

  test('a retired key is refused, both for a new token and for the old token of a refresh', async () => {
    const day = 24 * 60 * minute;
    const former = await secretAt('AWSCURRENT');
    const first = await world.user();
    expect(kidOf(first)).toBe(former.kid);
    await rotate();
    pass(6 * minute);
    // A published key still verifies. This forgery shows why its private part must stay secret.
    expect((await getMe(signedBy(former, first))).status).toBe(200);
    pass(20 * day);
    const second = (await world.renew(first)).body;
    pass(12 * day);
    expect(await published()).not.toContain(former.kid);
    expectProblem(await getMe(signedBy(former, first)), 'unauthenticated');
    expectSame(
      await getMe(signedBy({ ...former, kid: 'unknown' }, first)),
      await getMe(signedBy(former, first)),
    );
    const old = { ...second, access_token: first.access_token };
    expectProblem(await world.renew(old), 'unauthenticated');
    // The session continues with the token that it has received since.
    const current = await secretAt('AWSCURRENT');
    expect((await getMe(signedBy(current, second))).status).toBe(200);
    expect((await world.renew(second)).status).toBe(200);
  });

  test('a key that is deleted from the table is refused once the caches of the instances have expired', async () => {
    const stolen = await secretAt('AWSCURRENT');
    const person = await world.user();
    await rotate();
    await world.table.delete({ pk: 'KEYS', sk: `KEY#${stolen.kid}` });
    await world.table.delete({ pk: 'KEYS', sk: `KEY_ES256#${stolen.kid}-ES256` });
    pass(5 * minute + 1_000);
    expectProblem(await getMe(person), 'unauthenticated');
    expectProblem(await world.renew(person), 'unauthenticated');
    const next = await world.session(person.uid);
    expect((await getMe(next)).status).toBe(200);
  });
});
