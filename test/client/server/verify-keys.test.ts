import { expect, test, vi } from 'vitest';
import { createBackend, KeySetError, TokenError } from '../../../client/server.ts';
import { genuineTokenOf } from '../../attack/genuine.ts';
import { byMac, compact, encode } from '../../attack/tokens.ts';
import { startWorld } from '../../support/world.ts';

/** How a backend reads the service's keys over a connection that is cut, slow, or answers something else. */

const world = await startWorld();
const person = await world.user();
const { target, signed } = await genuineTokenOf(world, person);
const { header, claims, kid } = target;
const { project_id: projectId, secret } = world.project;
const begun = (claims['iat'] as number) * 1_000;

type Answer = (genuine: () => Promise<Response>) => Promise<Response>;
type Jwk = Record<string, unknown>;
type Line = { asked: number; answer: Answer; seen: RequestInit[] };

/** A backend and its connection to the service. The clock starts at the token's time of issue. */
function lineOf(answer: Answer = (genuine) => genuine()) {
  const line: Line = { asked: 0, answer, seen: [] };
  const backend = createBackend({
    url: world.url,
    projectId,
    secret,
    fetch: (url, init = {}) => {
      expect(url).toBe(`${world.url}/.well-known/jwks.json`);
      line.asked += 1;
      line.seen.push(init);
      return line.answer(() => fetch(url, init));
    },
  });
  const outcome = (token = person.access_token): Promise<string> =>
    backend.verify(token).then(
      () => 'accepted',
      (error: unknown) => {
        if (error instanceof KeySetError) return `${error.status}`;
        return error instanceof TokenError ? error.code : String(error);
      },
    );
  at(0);
  return { line, outcome };
}

/** Moves the clock to so many seconds after the time of issue. */
const at = (seconds: number) =>
  void vi.useFakeTimers({ toFake: ['Date'], now: begun + seconds * 1_000 });
/** A token that was issued so many seconds after the first one. */
const issuedAt = (seconds: number) => {
  const iat = (claims['iat'] as number) + seconds;
  return signed({ ...claims, iat, exp: iat + 600 });
};
const strange = (i: number) => compact({ ...header, kid: `strange-${i}` }, claims, byMac('x'));
const down: Answer = () => Promise.reject(new TypeError('fetch failed'));

/** The response of the service with changes. */
const changed =
  (change: (keys: Jwk[]) => unknown, headers: Record<string, string> = {}): Answer =>
  async (genuine) => {
    const { keys } = (await (await genuine()).json()) as { keys: Jwk[] };
    return Response.json({ keys: change(keys) }, { headers });
  };

test('reads the keys once for concurrent calls, and caches them', async () => {
  const { line, outcome } = lineOf();
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome()));
  expect([new Set(outcomes), line.asked]).toEqual([new Set(['accepted']), 1]);
  at(299);
  expect([await outcome(), line.asked]).toEqual(['accepted', 1]);
  at(300);
  expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
  expect(line.seen).toEqual(
    [1, 2].map(() =>
      expect.objectContaining({ redirect: 'manual', signal: expect.any(AbortSignal) }),
    ),
  );
});

test.each([
  ['max-age=10', 299, 300],
  ['public, max-age=400', 399, 400],
  ['no-store', 299, 300],
])('caches them with %s for %i s and reads them again at %i s', async (control, kept, read) => {
  const { line, outcome } = lineOf(changed((keys) => keys, { 'cache-control': control }));
  await outcome();
  at(kept);
  expect([await outcome(), line.asked]).toEqual(['accepted', 1]);
  at(read);
  expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
});

test('unknown key ids cause at most one request in 30 s', async () => {
  const { line, outcome } = lineOf();
  await outcome();
  at(30);
  const flood = () => Promise.all(Array.from({ length: 200 }, (_, i) => outcome(strange(i))));
  expect([new Set(await flood()), line.asked]).toEqual([new Set(['invalid_token']), 2]);
  at(59.9);
  expect([new Set(await flood()), line.asked]).toEqual([new Set(['invalid_token']), 2]);
  at(60);
  expect([new Set(await flood()), line.asked]).toEqual([new Set(['invalid_token']), 3]);
});

test('tokens of another audience, issuer or type cause no request', async () => {
  const { line, outcome } = lineOf();
  const sign = byMac('x');
  const tokens = [
    compact(header, { ...claims, aud: 'another' }, sign),
    compact(header, { ...claims, iss: 'https://evil.example' }, sign),
    compact({ ...header, typ: 'JWT' }, claims, sign),
    `${encode(header)}.${encode(claims)}`,
  ];
  for (const token of tokens) expect(await outcome(token)).toBe('invalid_token');
  expect(line.asked).toBe(0);
});

test('finds a newly published key', async () => {
  const { line, outcome } = lineOf(changed((keys) => keys.filter((key) => key['kid'] !== kid)));
  expect(await outcome()).toBe('invalid_token');
  line.answer = (genuine) => genuine();
  at(29);
  expect([await outcome(), line.asked]).toEqual(['invalid_token', 1]);
  at(30);
  expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
});

test('stops accepting a key that was withdrawn', async () => {
  const { line, outcome } = lineOf();
  expect(await outcome()).toBe('accepted');
  line.answer = changed((keys) => keys.filter((key) => key['kid'] !== kid));
  at(300);
  expect(await outcome()).toBe('invalid_token');
});

const failures: [string, Answer][] = [
  ['no connection', down],
  ['503', () => Promise.resolve(new Response('{"keys":[]}', { status: 503 }))],
  ['a redirect', () => Promise.resolve(Response.redirect('https://evil.example/keys', 302))],
  ['an empty set', () => Promise.resolve(new Response('{"keys":[]}'))],
  ['no JSON', () => Promise.resolve(new Response('<html>'))],
  ['no key set', () => Promise.resolve(Response.json({ keys: {} }))],
  ['null', () => Promise.resolve(Response.json(null))],
];
test.each(failures)(
  'without keys verification is a 503, neither valid nor invalid: %s',
  async (_, answer) => {
    const { line, outcome } = lineOf(answer);
    expect(await Promise.all([outcome(), outcome(strange(1))])).toEqual(['503', '503']);
    expect([await outcome(), line.asked]).toEqual(['503', 1]);
    line.answer = (genuine) => genuine();
    at(1);
    expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
  },
);

test.each(failures)(
  'uses cached keys for up to a day while the service is unavailable: %s',
  async (_, answer) => {
    const { line, outcome } = lineOf();
    await outcome();
    line.answer = answer;
    at(300);
    expect(await outcome()).toBe('accepted');
    expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
    // Whether an unknown key is valid cannot be decided.
    expect([await outcome(strange(1)), line.asked]).toEqual(['503', 2]);
    at(330);
    expect([await outcome(), line.asked]).toEqual(['accepted', 3]);
    const day = 86_400;
    at(day - 1);
    expect(await outcome(issuedAt(day - 1))).toBe('accepted');
    at(day);
    expect(await outcome(issuedAt(day))).toBe('503');
  },
);

test('a clock that was set back does not extend the cache', async () => {
  const { line, outcome } = lineOf();
  await outcome();
  at(-400);
  expect([await outcome(issuedAt(-400)), line.asked]).toEqual(['accepted', 2]);
});

test('a request that never completes does not block later calls', async () => {
  const { line, outcome } = lineOf(() => new Promise(() => {}));
  void outcome();
  line.answer = (genuine) => genuine();
  at(10);
  expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
});

test('a service that hangs does not delay tokens with a cached key', async () => {
  const { line, outcome } = lineOf();
  await outcome();
  let fail: (error: unknown) => void = () => {};
  line.answer = () =>
    new Promise((_, reject) => {
      fail = reject;
    });
  at(300);
  const asking = outcome();
  expect([await outcome(), line.asked]).toEqual(['accepted', 2]);
  const unknown = outcome(strange(1));
  fail(new TypeError('fetch failed'));
  expect([await asking, await unknown, line.asked]).toEqual(['accepted', '503', 2]);
});

test('a key of another kind is ignored, and does not affect the others', async () => {
  const published = async () =>
    ((await (await fetch(`${world.url}/.well-known/jwks.json`)).json()) as { keys: Jwk[] }).keys;
  const own = (await published()).find((key) => key['kid'] === kid) ?? {};
  const instead = async (key: unknown) =>
    lineOf(changed((keys) => [{ kid: 'x' }, ...keys.filter((each) => each['kid'] !== kid), key]));
  const good = await instead({ kty: own['kty'], kid, n: own['n'], e: own['e'] });
  expect(await good.outcome()).toBe('accepted');
  for (const bad of [
    { ...own, use: 'enc' },
    { ...own, alg: 'RS512' },
    { ...own, alg: 'ES256' },
    { ...own, kty: 'EC' },
    { ...own, n: '!' },
    { ...own, kid: 7 },
  ]) {
    const { outcome } = await instead(bad);
    expect(await outcome()).toBe('invalid_token');
  }
  const secretKey = await instead({ kty: 'oct', kid, k: encode('secret'), alg: 'HS256' });
  for (const alg of ['HS256', 'RS256']) {
    const token = compact({ ...header, alg }, claims, byMac('secret'));
    expect(await secretKey.outcome(token)).toBe('invalid_token');
  }
});
