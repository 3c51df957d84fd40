import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/expectations.ts';
import { serve } from '../support/identity-tokens.ts';
import { sessionIdOf } from '../support/started.ts';
import { startWorld } from '../support/world.ts';
import { forgeriesOf } from './forgeries.ts';
import { genuineTokenOf } from './genuine.ts';
import { byKey, compact, eachOf, pss } from './tokens.ts';
import { fitsHeader, partsOf, silence } from './traces.ts';

/**
 * Forged access tokens in every place that accepts one: as the credential of a request, and in the body of a refresh.
 */

const world = await startWorld();
const person = await world.user();
const other = await world.user({ project: await world.newProject() });
const { target, privateKey, signed, raw, me, refresh } = await genuineTokenOf(world, person);
const { header, claims } = target;
let fetched = 0;
const theirs = await serve((_, response) => {
  fetched += 1;
  response.end('{"keys":[]}');
});

const log = silence();

/** The original token must be valid, so that a rejection is caused by the forgery. */
async function expectGood(): Promise<void> {
  const { status, body } = await me(person.access_token);
  expect([status, body.uid]).toEqual([200, person.uid]);
}

async function expectRefused(token: string, code = 'unauthenticated' as const): Promise<void> {
  log.clear();
  if (fitsHeader(token)) {
    const answer = await me(token);
    expectProblem(answer, code);
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="user", error="invalid_token", error_description="${answer.body.detail}"`,
    );
    log.expectWithout(partsOf(token), answer);
  }
  const answer = await refresh(token);
  // A token that violates the contract's format is a bad request.
  if (answer.status === 400) expect(answer.body.errors[0].pointer).toBe('/body/accessToken');
  else expectProblem(answer, code);
  log.expectWithout(partsOf(token), answer);
}

let before: unknown[];
beforeAll(async () => {
  before = await world.table.all();
});
beforeAll(expectGood);
afterAll(expectGood);

describe.each(Object.entries(forgeriesOf(target, other.access_token, theirs)))(
  '%s',
  (_, forgeries) => {
    afterAll(expectGood);
    test.each(Object.entries(forgeries))('%s', async (_name, token) => {
      expect(token).not.toBe(target.genuine);
      await expectRefused(token);
    });
  },
);

test('no URL that a token names is fetched', () => {
  expect(fetched).toBe(0);
});

/** Tokens that only a bug in this service, or another service with its key, could sign. */
describe("under the service's own signature", () => {
  afterAll(expectGood);

  const { typ: _, ...untyped } = header;
  const headers: Record<string, unknown> = {
    ...Object.fromEntries(
      [
        ...['JWT', 'jwt', 'AT+JWT', 'application/at+jwt', 'at+jwt ', 'rt+jwt', 'id+jwt', ''],
        ...['secevent+jwt', 'logout+jwt', 'dpop+jwt', null, 7, ['at+jwt'], {}],
      ].map((typ) => [`typ ${JSON.stringify(typ)}`, { ...header, typ }]),
    ),
    'no typ': untyped,
    ...Object.fromEntries(
      ['none', 'HS256', 'RS384', 'RS512', 'PS256', 'ES256', 'EdDSA', 'rs256', '', null].map(
        (alg) => [`alg ${JSON.stringify(alg)}`, { ...header, alg }],
      ),
    ),
    'no alg': { typ: header['typ'], kid: header['kid'] },
    'crit of a known claim': { ...header, crit: ['exp'], exp: 9_999_999_999 },
    'crit of an unknown parameter': { ...header, crit: ['x'], x: true },
    'crit of kid': { ...header, crit: ['kid'] },
    'crit empty': { ...header, crit: [] },
    'crit a text': { ...header, crit: 'kid' },
    'b64 false': { ...header, b64: false, crit: ['b64'] },
    'b64 true': { ...header, b64: true },
    'b64 false, not critical': { ...header, b64: false },
    zip: { ...header, zip: 'DEF' },
    cty: { ...header, cty: 'JWT' },
    enc: { ...header, enc: 'A256GCM' },
    jwk: { ...header, jwk: target.publicKey.export({ format: 'jwk' }) },
    nonce: { ...header, nonce: 'x' },
    'a parameter with an empty name': { ...header, '': '' },
    constructor: { ...header, constructor: {} },
    'an array': [header],
    'a string': '"at+jwt"',
    'a number': '7',
    null: 'null',
    nothing: '',
    'not JSON': '{alg:RS256}',
    'JSON and more': `${JSON.stringify(header)}{}`,
    'with a comment': `/**/${JSON.stringify(header)}`,
    'after a byte order mark': `\ufeff${JSON.stringify(header)}`,
    'in UTF-16': Buffer.from(JSON.stringify(header), 'utf16le'),
    'after a NUL': `\0${JSON.stringify(header)}`,
  };
  test.each(Object.entries(headers))('refuses the header: %s', async (_name, head) => {
    await expectRefused(signed(claims, head));
  });

  const wrong: unknown[] = [null, true, 7, '', 'x', [], {}, ['x'], 'x'.repeat(2_100), '__proto__'];
  const numbers: unknown[] = [...wrong, '1', '9999999999', 1.5, -1.5, false];
  const { uid } = other;
  const sid = sessionIdOf(other);
  const address = world.url;
  const wrongClaims: Record<string, unknown[]> = {
    iss: [...wrong, [address], `${address}/`, address.toUpperCase(), `${address}\0`, ` ${address}`],
    sub: [...wrong, [person.uid], uid, person.uid.toUpperCase(), `${person.uid}\n`, `USER#${uid}`],
    aud: [
      ...wrong,
      [claims['aud']],
      [claims['aud'], other.project.project_id],
      other.project.project_id,
      `${String(claims['aud'])}#`,
      `PROJECT#${String(claims['aud'])}`,
    ],
    sid: [...wrong, [claims['sid']], sid, String(claims['sid']).toUpperCase(), `SESSION#${sid}`],
    iat: [...numbers, Math.floor(Date.now() / 1_000) + 600, 9_999_999_999, 2 ** 53].filter(
      (value) => value !== 7,
    ),
    exp: numbers.filter((value) => value !== 7),
    jti: [null, true, 7, [], {}],
    email: [null, true, 7, [], {}, [claims['email']]],
    email_verified: [null, 'true', 1, [], {}, ''],
  };
  test.each(eachOf(wrongClaims, (name, value) => signed({ ...claims, [name]: value })))(
    'the claim %s',
    async (_name, token) => {
      await expectRefused(token);
    },
  );

  // Tokens from before 0.12.0 have no `auth_time`, and those from before 0.21.0 no `client_id`.
  const required = Object.keys(claims).filter((name) => !/^(?:auth_time|client_id)$/.test(name));
  test.each(required)('refuses a payload without the claim %s', async (name) => {
    const { [name]: _removed, ...rest } = claims;
    await expectRefused(signed(rest));
  });

  test.each<[string, unknown]>([
    ['iat beyond every number', raw('"iat":1e309')],
    ['iat below every number', raw('"iat":-1e309')],
    ['exp beyond every number', raw('"exp":1e309')],
    ['exp NaN', raw('"exp":NaN')],
    ['exp beyond safe integers', raw('"exp":9007199254740993')],
    ['a duplicate exp, the last one not a number', raw('"exp":"x"')],
    ['a duplicate sub, the last one of another user', raw(`"sub":"${uid}"`)],
    [
      'a duplicate aud, the last one of another project',
      raw(`"aud":"${other.project.project_id}"`),
    ],
    ['sub in capitals', JSON.stringify(claims).replace('"sub"', '"SUB"')],
    ['an array', [claims]],
    ['null', 'null'],
    ['nothing', ''],
    ['after a byte order mark', `\ufeff${JSON.stringify(claims)}`],
    ['in UTF-16', Buffer.from(JSON.stringify(claims), 'utf16le')],
    ['a `__proto__` claim with `__proto__` as the sid', raw('"__proto__":{},"sid":"__proto__"')],
  ])('refuses the payload: %s', async (_name, content) => {
    await expectRefused(signed(content));
  });

  test.each([
    ['PS256', 'sha256', 32],
    ['PS384', 'sha384', 48],
    ['PS512', 'sha512', 64],
  ])('refuses %s, with that alg and with RS256 in the header', async (alg, hash, salt) => {
    const signer = byKey(privateKey, hash, pss(salt));
    await expectRefused(compact({ ...header, alg }, claims, signer));
    await expectRefused(compact(header, claims, signer));
  });

  test.each([
    ['RS1', 'sha1'],
    ['RS384', 'sha384'],
    ['RS512', 'sha512'],
  ])('refuses %s, with that alg and with RS256 in the header', async (alg, hash) => {
    await expectRefused(compact({ ...header, alg }, claims, byKey(privateKey, hash)));
    await expectRefused(compact(header, claims, byKey(privateKey, hash)));
  });
});

test('none of the forged tokens has written anything, and the refresh token is still valid', async () => {
  expect(await world.table.all()).toEqual(before);
  const { status, body } = await refresh(person.access_token);
  expect([status, body.uid]).toEqual([200, person.uid]);
});
