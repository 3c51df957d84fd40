import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '#shared/model/error-codes.ts';
import { expectProblem } from '../support/expectations.ts';
import { sessionIdOf } from '../support/started.ts';
import { startWorld } from '../support/world.ts';
import { genuineTokenOf } from './genuine.ts';
import { compact, encode, flipped, respelled, spellingsOf, unsigned } from './tokens.ts';
import { fitsHeader, partsOf, silence } from './traces.ts';

/** Forged refresh tokens. None may renew a session, and none may end one: only reuse of a real token does. */

vi.useFakeTimers({ toFake: ['Date'] });
const world = await startWorld();
const { getSigningKeys } = await import('#shared/access/signing-keys.ts');
const { runInRequest } = await import('#shared/db/request-context.ts');
const { refreshSecret } = await runInRequest('test', 2_500, getSigningKeys);

const person = await world.user();
const second = await world.session(person.uid);
const other = await world.user();
const stranger = await world.user({ project: await world.newProject() });
const { uid, access_token, refresh_token: genuine } = person;
const { target, signed } = await genuineTokenOf(world, person);
const { claims, kid, publicKey } = target;
const sid = sessionIdOf(person);

const send = (authorization: string | undefined, accessToken = access_token, more: object = {}) =>
  world.call({
    method: 'POST',
    path: '/sessions/token/refresh',
    auth: authorization,
    body: { accessToken },
    ...more,
  });
const refresh = (token: string, accessToken = access_token) => send(`Bearer ${token}`, accessToken);
const log = silence();

let successor: object;
let before: unknown[];
beforeAll(async () => {
  const { status, body } = await refresh(genuine);
  if (status !== 200) throw new Error(`${status} ${body.code}`);
  successor = body;
  before = await world.table.all();
});
/** The original token must be valid, with the same response for a minute; the clock is stopped. */
async function expectGood(): Promise<void> {
  const { status, body } = await refresh(genuine);
  expect([status, body]).toEqual([200, successor]);
}
beforeAll(expectGood);

async function expectRefused(token: string, accessToken?: string, code?: ErrorCode) {
  log.clear();
  const answer = await refresh(token, accessToken);
  expectProblem(answer, code ?? 'unauthenticated');
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer realm="user", error="invalid_token", error_description="${answer.body.detail}"`,
  );
  log.expectWithout(partsOf(token), answer);
}

const [content = '', mac = ''] = genuine.slice(3).split('.');
const [, otherMac = ''] = other.refresh_token.split('.');
const made = (text: string, digest: Buffer | string) =>
  `rt_${text}.${typeof digest === 'string' ? digest : digest.toString('base64url')}`;
const hmac = (key: string | KeyObject, what: string, hash = 'sha256') =>
  createHmac(hash, key).update(what).digest();
const bytes = Buffer.from(mac, 'base64url');
const claimed = (text: string) => made(encode(text), mac);

const forgeries: Record<string, string> = {
  'no MAC': `rt_${content}`,
  'no MAC behind the dot': `rt_${content}.`,
  'no content': `rt_.${mac}`,
  'nothing but the prefix': 'rt_',
  'no prefix': `${content}.${mac}`,
  'the prefix in capitals': `RT_${content}.${mac}`,
  'the prefix twice': `rt_${genuine}`,
  'another prefix': `jl_${content}.${mac}`,
  'the MAC of another': made(content, otherMac),
  'the MAC cut off': made(content, mac.slice(0, -1)),
  'the MAC cut to half': made(content, bytes.subarray(0, 16)),
  'the MAC longer by a byte': made(content, Buffer.concat([bytes, Buffer.from([0])])),
  'the MAC twice': made(content, mac + mac),
  'a MAC of zeros': made(content, Buffer.alloc(32)),
  'a MAC of ones': made(content, Buffer.alloc(32, 255)),
  'the MAC in hex': made(content, bytes.toString('hex')),
  'a digest without a key': made(content, createHash('sha256').update(`rt_${content}`).digest()),
  ...Object.fromEntries(
    Object.entries({
      ...spellingsOf(publicKey, kid),
      'the project': person.project.project_id,
      'its secret': person.project.secret,
      'the user': uid,
      'the session': sid,
      'the access token': access_token,
      'the token itself': genuine,
    }).map(([name, key]) => [`a MAC by ${name}`, made(content, hmac(key, `rt_${content}`))]),
  ),
  'a MAC by the secret, without the prefix': made(content, hmac(refreshSecret, content)),
  'a MAC by the secret, of the text': made(content, hmac(refreshSecret, `${uid} ${sid} 0`)),
  'a MAC by the secret, SHA-1': made(content, hmac(refreshSecret, `rt_${content}`, 'sha1')),
  'a MAC by the secret, SHA-512': made(content, hmac(refreshSecret, `rt_${content}`, 'sha512')),
  'the next counter': claimed(`${uid} ${sid} 1`),
  'a much higher counter': claimed(`${uid} ${sid} 999`),
  'the session of another': claimed(`${other.uid} ${sessionIdOf(other)} 0`),
  'another session of the user': claimed(`${uid} ${sessionIdOf(second)} 0`),
  'unused bits of the MAC': made(content, respelled(mac)),
  'padding of the MAC': `${genuine}=`,
  'padding of the content': `rt_${content}=.${mac}`,
  'letters of base64': `${genuine.replaceAll('-', '+').replaceAll('_', '/')}/+`,
  'in capitals': `rt_${content}.${mac}`.toUpperCase(),
  'in quotes': `"${genuine}"`,
  'the dot URL-encoded': genuine.replace('.', '%2E'),
  'a colon instead of the dot': genuine.replace('.', ':'),
  'a trailing dot': `${genuine}.`,
  'a third part': `${genuine}.${mac}`,
  'twice in a row': genuine + genuine,
  'an unsigned JWT': compact({ alg: 'none' }, { sub: uid, sid, counter: 0 }, unsigned),
  'the access token': access_token,
  '4,000 letters': `rt_${'A'.repeat(3_950)}.${mac}`,
  'a prototype': '__proto__',
  ...Object.fromEntries(
    Array.from({ length: genuine.length / 8 }, (_, i) => [
      `another letter at ${i * 8}`,
      flipped(genuine, i * 8),
    ]),
  ),
};

describe('forged', () => {
  afterAll(expectGood);

  test.each(Object.entries(forgeries))('%s', async (_name, token) => {
    expect(token).not.toBe(genuine);
    expect(fitsHeader(token)).toBe(true);
    await expectRefused(token);
  });
});

const ours = (text: string) => made(encode(text), hmac(refreshSecret, `rt_${encode(text)}`));

describe("under the service's own MAC", () => {
  afterAll(expectGood);

  test('equal content gives an equal token', () => {
    expect(ours(`${uid} ${sid} 0`)).toBe(genuine);
  });

  test.each([
    ...['', ' ', '0', `${uid} ${sid}`, `${uid} ${sid} `, ` ${uid} ${sid} 0`, `${uid} ${sid} 0 `],
    ...[`${uid} ${sid} 0\n`, `${uid}  ${sid} 0`, `${uid}\t${sid} 0`, `${uid} ${sid} 0 0`],
    ...['00', '-0', '+0', '-1', '0.0', '0x0', '1e0', '1e309', 'NaN', 'Infinity', 'null', '٠'].map(
      (counter) => `${uid} ${sid} ${counter}`,
    ),
    ...[`${uid} ${sid} 999999999999999`, `${uid} ${sid} 9007199254740993`],
    ...[`${uid.toUpperCase()} ${sid} 0`, `USER#${uid} ${sid} 0`, `${uid} SESSION#${sid} 0`],
    ...[`__proto__ ${sid} 0`, `${uid} * 0`, `\ufeff${uid} ${sid} 0`, `${sid} ${uid} 0`],
    JSON.stringify({ uid, session_id: sid, counter: 0 }),
  ])('refuses the content %j', async (text) => {
    await expectRefused(ours(text));
  });

  test.each([2, 3, 60, 999_999_999])(
    'the counter %i, which has not been issued yet, ends no session',
    async (counter) => {
      await expectRefused(ours(`${uid} ${sid} ${counter}`));
    },
  );
});

describe('with an access token that does not belong to it', () => {
  afterAll(expectGood);

  test.each<[string, () => string]>([
    ['of another session of the user', () => second.access_token],
    ['of another user', () => other.access_token],
    ['of another project', () => stranger.access_token],
    [
      'of the user under another project',
      () => signed({ ...claims, aud: stranger.project.project_id }),
    ],
    ['of the user under an unknown project', () => signed({ ...claims, aud: 'nobody' })],
    ['of the session under another user', () => signed({ ...claims, sub: other.uid })],
    ['of another issuer', () => signed({ ...claims, iss: 'https://evil.example' })],
    ['replaced by the refresh token', () => genuine],
  ])('%s', async (_name, accessToken) => {
    await expectRefused(genuine, accessToken());
    // Nor conversely.
    if (accessToken() === second.access_token) await expectRefused(second.refresh_token);
    if (accessToken() === other.access_token) await expectRefused(other.refresh_token);
  });
});

describe('in another place than the Authorization header', () => {
  afterAll(expectGood);

  test.each<[string, string | undefined, object?]>([
    ['nowhere', undefined],
    ['without a scheme', genuine],
    ['under Basic', `Basic ${genuine}`],
    ['under Basic, encoded', `Basic ${Buffer.from(`x:${genuine}`).toString('base64')}`],
    ['under Token', `Token ${genuine}`],
    ['as a parameter', `Bearer token=${genuine}`],
    ['twice', `Bearer ${genuine}, Bearer ${genuine}`],
    ['after another', `Bearer ${access_token} ${genuine}`],
    ['after a tab', `Bearer\t${genuine}`],
    ['in a cookie', undefined, { headers: { cookie: `refresh_token=${genuine}` } }],
    [
      'in a header of the client',
      undefined,
      { headers: { 'x-authorization': `Bearer ${genuine}` } },
    ],
  ])('%s', async (_name, authorization, more) => {
    log.clear();
    const answer = await send(authorization, access_token, more);
    expectProblem(answer, 'unauthenticated');
    log.expectWithout(partsOf(genuine), answer);
  });

  test.each<[string, object]>([
    ['in the query', { query: { refresh_token: genuine } }],
    ['in the body', { body: { accessToken: access_token, refresh_token: genuine } }],
    ['in the body, as in OAuth', { body: { grant_type: 'refresh_token', refresh_token: genuine } }],
  ])('%s', async (_name, more) => {
    log.clear();
    const answer = await send(undefined, access_token, more);
    expectProblem(answer, 'unauthenticated');
    log.expectWithout(partsOf(genuine), answer);
  });
});

test('none of these requests has renewed or ended a session', async () => {
  expect(await world.table.all()).toEqual(before);
  for (const { bearer } of [person, second, other, stranger])
    expect((await world.call('GET', '/users/me', bearer)).status).toBe(200);
  for (const { refresh_token, access_token: token } of [second, other, stranger])
    expect((await refresh(refresh_token, token)).status).toBe(200);
});
