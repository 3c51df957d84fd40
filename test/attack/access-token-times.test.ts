/**
 * @module-tag source
 * @module-tag alone
 */
import { describe, expect, test, vi } from 'vitest';
import { lifetimes } from '#shared/model/limits.ts';
import { expectProblem } from '../support/expectations.ts';
import { sessionIdOf } from '../support/started.ts';
import { startWorld } from '../support/world.ts';
import { stranger } from './forgeries.ts';
import { genuineTokenOf } from './genuine.ts';
import { byKey, compact } from './tokens.ts';
import { partsOf, silence } from './traces.ts';

/** Access tokens that are valid, not yet valid or expired, and the cost of many invalid ones. */

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const { publicKeys } = await import('#shared/db/key-prefixes.ts');
const person = await world.user();
const other = await world.user({ project: await world.newProject() });
const { target, signed, raw, me } = await genuineTokenOf(world, person);
const { header, claims } = target;
const log = silence();
const forgedAt = (change: object, more: object = {}) =>
  compact({ ...header, ...more }, { ...claims, ...change }, byKey(stranger.privateKey));

test('a burst of tokens with invented key ids causes one read of the keys in 10 s, and delays no other request', async () => {
  let reads = 0;
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      if (JSON.stringify(args.input).includes(`"${publicKeys}"`)) reads += 1;
      return next(args);
    },
    { step: 'initialize', name: 'keys read' },
  );
  let now = Date.now();
  const storm = async () => {
    // The last read of the keys is old enough for another one, and the clock stands still.
    now += lifetimes.publicKeyReread * 1_000;
    vi.useFakeTimers({ toFake: ['Date'], now });
    reads = 0;
    const tokens = Array.from({ length: 200 }, (_, i) => forgedAt({}, { kid: `invented ${i}` }));
    const answers = await Promise.all(
      tokens.flatMap((token, i) => (i % 10 === 0 ? [me(token), me(target.genuine)] : [me(token)])),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(200);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    return reads;
  };
  expect([await storm(), await storm(), await storm()]).toEqual([1, 1, 1]);
});

describe("accepted under the service's own signature, and gives no more than the session does", () => {
  test.each<[string, unknown]>([
    ['blanks in the payload', JSON.stringify(claims, null, 2)],
    ['unknown claims', { ...claims, admin: true, scope: '*', roles: ['owner'] }],
    ['a duplicate claim, whose last value counts', raw(`"sub":"${person.uid}"`)],
    ['a `__proto__` claim', raw('"__proto__":{"sub":"x"}')],
    ['an nbf in the past, which the service never sets', { ...claims, nbf: 0 }],
    ['the e-mail of another user', { ...claims, email: other.email, email_verified: true }],
  ])('%s', async (_name, content) => {
    const { status, body } = await me(signed(content));
    expect([status, body.uid, body.email]).toEqual([200, person.uid, person.email]);
  });

  test('a token that has not expired is refused after its session ends', async () => {
    const ending = await world.session(person.uid);
    const lasting = signed({ ...claims, sid: sessionIdOf(ending) });
    expect((await me(lasting)).status).toBe(200);
    await world.call('DELETE', '/sessions/current', ending.bearer);
    expectProblem(await me(lasting), 'unauthenticated');
  });
});

describe("refused under the service's own signature, because of its times", () => {
  const [iat, exp] = [Number(claims['iat']), Number(claims['exp'])];
  test.each<[string, unknown]>([
    ['an nbf in the future', { ...claims, nbf: 9_999_999_999 }],
    ['an nbf beyond the tolerance', { ...claims, nbf: iat + 60 }],
    ['an nbf that is not a number', { ...claims, nbf: 'tomorrow' }],
    ['an expiry in the far future', { ...claims, exp: 9_999_999_999 }],
    ['issued long ago', { ...claims, iat: 0 }],
    ['a lifetime one second longer than the service sets', { ...claims, exp: exp + 1 }],
  ])('%s', async (_name, content) => {
    expectProblem(await me(signed(content)), 'unauthenticated');
    const renewed = await world.call(
      ...(['POST', '/sessions/token/refresh', `Bearer ${person.refresh_token}`] as const),
      { accessToken: signed(content) },
    );
    expectProblem(renewed, 'unauthenticated');
  });
});

describe('at a given time, with a tolerance of 5 s', () => {
  const [iat, exp] = [Number(claims['iat']), Number(claims['exp'])];
  test.each([
    ['6 s before it was issued', iat - 6, 'unauthenticated'],
    ['5 s before it was issued', iat - 5, undefined],
    ['4.999 s after it expired', exp + 4.999, undefined],
    ['5 s after it expired', exp + 5, 'token_expired'],
    ['a week after it expired', exp + 7 * 86_400, 'token_expired'],
  ])('%s', async (_name, seconds, code) => {
    vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1_000 });
    const answer = await me(target.genuine);
    expect([answer.status, answer.body.code]).toEqual([code ? 401 : 200, code]);
  });

  test.each([
    ['an expired token', () => signed({ ...claims, iat: 1, exp: 601 }), 'token_expired'],
    ['a token that expired before 1970', () => signed({ ...claims, exp: -1 }), 'token_expired'],
    ['an expired token signed by another key', () => forgedAt({ exp: 601 }), 'unauthenticated'],
    [
      'an expired token of another issuer',
      () => signed({ ...claims, exp: 1, iss: 'x' }),
      'unauthenticated',
    ],
  ] as const)('%s gets token_expired only if it is otherwise valid', async (_name, make, code) => {
    const answer = await me(make());
    expectProblem(answer, code);
    log.expectWithout(partsOf(make()), answer);
  });
});
