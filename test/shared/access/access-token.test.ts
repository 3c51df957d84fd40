import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as jose from 'jose';
import { describe, expect, test } from 'vitest';
import {
  type AccessClaims,
  claimedProject,
  customClaims,
  signAccessToken,
  verifyAccessToken,
} from '#shared/access/access-token.ts';
import { ApiError } from '#shared/model/errors.ts';

const issuer = 'https://id.example.com';
const now = new Date('2026-11-21T08:00:00.500Z');
const iat = Math.floor(now.getTime() / 1_000);
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const kid = 'ours';
const claims: AccessClaims = {
  ...{ iss: issuer, sub: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01', aud: 'demo' },
  ...{ sid: '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11', iat, exp: iat + 600, jti: 'once' },
  ...{ email: 'ada@example.com', email_verified: true },
};
const genuine = signAccessToken(claims, { kid, privateKey: ours.privateKey });
const publicPem = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const asked: string[] = [];
async function findKey(id: string): Promise<KeyObject | undefined> {
  asked.push(id);
  return id === kid ? ours.publicKey : undefined;
}
const verifyAt = (seconds: number, token: string, expired?: 'accept') =>
  verifyAccessToken(token, issuer, new Date(seconds * 1_000), findKey, expired);

async function outcome(token: string, expired?: 'accept', seconds = iat): Promise<string> {
  try {
    return (await verifyAt(seconds, token, expired)).sub;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const head = { alg: 'RS256', typ: 'at+jwt', kid };
const rs256 = (text: string, key = ours.privateKey) => sign('sha256', Buffer.from(text), key);

type Sign = (text: string) => Buffer;
/** A token with any header and payload, by default signed with our key. */
function forge(header: unknown, payload: unknown = claims, signer: Sign = rs256) {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signer(text).toString('base64url')}`;
}
const hmac = (secret: string) => (text: string) =>
  createHmac('sha256', secret).update(text).digest();
const byThem = (text: string) => rs256(text, theirs.privateKey);
const without = (name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const padding = constants.RSA_PKCS1_PSS_PADDING;
const pss = (text: string) =>
  sign('sha256', Buffer.from(text), { key: ours.privateKey, padding, saltLength: 32 });

const [first = '', second = '', third = ''] = genuine.split('.');
const flipped = (part: string, at: number) => {
  const letter = part.at(at) === 'A' ? 'B' : 'A';
  return `${part.slice(0, at)}${letter}${at === -1 ? '' : part.slice(at + 1)}`;
};
const json = JSON.stringify(claims);
/** With our signature, as only a mistake of ours could make it. */
const changed = (change: object) => forge(head, { ...claims, ...change });
const forgeries: Record<string, string> = {
  // The form of any token: test/shared/access/jws.test.ts. All others of its kinds: test/attack/access-tokens.test.ts.
  'alg none without signature': `${encode({ ...head, alg: 'none' })}.${second}.`,
  'HS256 with the public key': forge({ ...head, alg: 'HS256' }, claims, hmac(publicPem)),
  'RS256 announced, HMAC with the public key': forge(head, claims, hmac(publicPem)),
  'RS512 signed': forge(head, claims, (text) => sign('sha512', Buffer.from(text), ours.privateKey)),
  'PS256 signed': forge(head, claims, pss),
  jku: forge({ ...head, jku: 'https://evil.example/jwks.json' }),
  'unknown kid': forge({ ...head, kid: 'theirs' }, claims, byThem),
  'our kid, their key': forge(head, claims, byThem),
  'kid of the prototype': forge({ ...head, kid: '__proto__' }),
  'typ JWT': forge({ ...head, typ: 'JWT' }),
  'payload null': forge(head, 'null'),
  'payload an array': forge(head, [claims]),
  'four parts': `${genuine}.${third}`,
  empty: '',
  padding: `${first}.${second}.${third}==`,
  'over 4 KiB': changed({ padding: 'x'.repeat(3_000) }),
  'aud an array': changed({ aud: ['demo'] }),
  'another issuer': changed({ iss: 'https://evil.example' }),
  'our issuer with a slash': changed({ iss: `${issuer}/` }),
  'sub no uid': changed({ sub: 'ada' }),
  'sub in upper case': changed({ sub: claims.sub.toUpperCase() }),
  'aud no project id': changed({ aud: 'PROJECT#demo' }),
  'sid no session id': changed({ sid: 'SESSION#1' }),
  'sid longer than a key of the table': changed({ sid: 'x'.repeat(1_100) }),
  'exp a string': changed({ exp: String(claims.exp) }),
  'exp a fraction': changed({ exp: claims.exp + 0.5 }),
  'exp beyond every integer': forge(head, json.replace(/"exp":\d+/, '"exp":1e999')),
  'issued in the future': changed({ iat: iat + 6, exp: iat + 606 }),
  'not to be used yet': changed({ nbf: iat + 6 }),
  'nbf a string': changed({ nbf: 'now' }),
  'nbf null': changed({ nbf: null }),
  'act without a subject': changed({ act: {} }),
  'a longer lifetime than ours': changed({ exp: claims.exp + 1 }),
  'issued earlier than its lifetime allows': changed({ iat: iat - 1 }),
  ...Object.fromEntries(
    Object.keys(claims).flatMap((name) => [
      [`no ${name}`, forge(head, without(name))],
      [`${name} null`, changed({ [name]: null })],
      [`${name} an object`, changed({ [name]: {} })],
    ]),
  ),
};

describe('refused, even if an expired token is accepted', () => {
  test.each(Object.entries(forgeries))('%s', async (_, token) => {
    expect(await outcome(token)).toBe('unauthenticated');
    expect(await outcome(token, 'accept')).toBe('unauthenticated');
  });

  test('the error does not say which check failed', async () => {
    const details = new Set<string>();
    for (const token of Object.values(forgeries))
      await verifyAt(iat, token).catch(({ detail }: ApiError) => details.add(detail));
    expect([...details]).toEqual(['The access token is not valid']);
  });

  test.each([
    ['empty', 'no access token'],
    ['sub no uid', 'no access token'],
    ['unknown kid', 'unknown key'],
    ['our kid, their key', 'no access token'],
    ['another issuer', 'another issuer'],
    ['issued in the future', 'from the future'],
    ['not to be used yet', 'from the future'],
    ['a longer lifetime than ours', 'no access token'],
  ])('%s: the log says "%s"', async (name, reason) => {
    const refused = expect.objectContaining({ reason });
    await expect(verifyAt(iat, forgeries[name] ?? '')).rejects.toEqual(refused);
  });

  test('a token of another form is refused without reading a key', async () => {
    asked.length = 0;
    for (const name of ['over 4 KiB', 'four parts', 'jku', 'padding', 'typ JWT'])
      await outcome(forgeries[name] ?? '');
    expect(asked).toEqual([]);
  });

  test('a token with any character changed', async () => {
    for (let at = 0; at < genuine.length; at += 7)
      expect(await outcome(flipped(genuine, at)), `letter ${at}`).toBe('unauthenticated');
  });
});

describe('time, within a tolerance of 5 s', () => {
  test.each([
    ['as soon as it is issued', iat, claims.sub],
    ['by a clock 5 s behind', iat - 5, claims.sub],
    ['by a clock 6 s behind', iat - 6, 'unauthenticated'],
    ['until it expires', claims.exp, claims.sub],
    ['just within the tolerance', claims.exp + 4.999, claims.sub],
    ['5 s after it expired', claims.exp + 5, 'token_expired'],
    ['a year after it expired', claims.exp + 31_536_000, 'token_expired'],
  ])('%s', async (_, seconds, expected) => {
    expect(await outcome(genuine, undefined, seconds)).toBe(expected);
  });

  test('accepted from nbf on, within the tolerance', async () => {
    expect(await outcome(changed({ nbf: iat + 5 }))).toBe(claims.sub);
    expect(await outcome(changed({ nbf: iat - 600 }))).toBe(claims.sub);
  });

  test('accepted after its expiry, if expired tokens are accepted', async () => {
    expect(await verifyAt(claims.exp + 86_400, genuine, 'accept')).toEqual(claims);
  });

  test('refused after its expiry, with that reason in the log', async () => {
    await expect(verifyAt(claims.exp + 5, genuine)).rejects.toMatchObject({
      reason: 'the access token has expired',
    });
  });

  test('a forged token is refused as unauthenticated, not as expired', async () => {
    const late = claims.exp + 86_400;
    expect(await outcome(forge(head, claims, byThem), undefined, late)).toBe('unauthenticated');
    expect(await outcome(changed({ iss: 'x' }), undefined, late)).toBe('unauthenticated');
  });
});

describe('the library jose', () => {
  const options = {
    ...{ issuer, audience: 'demo', algorithms: ['RS256'], typ: 'at+jwt', currentDate: now },
    requiredClaims: Object.keys(claims),
  };
  const jwk = { ...ours.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };

  test('verifies our tokens with the published key', async () => {
    const keys = jose.createLocalJWKSet({ keys: [jwk] });
    const { payload, protectedHeader } = await jose.jwtVerify(genuine, keys, options);
    expect({ payload, protectedHeader }).toEqual({ payload: claims, protectedHeader: head });
  });

  test('signs tokens that we verify; an unknown claim is left out', async () => {
    const token = await new jose.SignJWT({ ...claims, scope: 'everything' })
      .setProtectedHeader(head)
      .sign(ours.privateKey);
    expect(await verifyAt(iat, token)).toEqual(claims);
  });
});

test('customClaims returns the claims that the service does not set', () => {
  expect(customClaims(changed({ tier: 'gold' }))).toEqual({ tier: 'gold' });
});

test('claimedProject returns the project of a well-formed token, even of a forged one', () => {
  expect(claimedProject(forge(head, claims, byThem))).toBe('demo');
  for (const name of ['empty', 'payload null', 'aud no project id', 'typ JWT'])
    expect(claimedProject(forgeries[name] ?? ''), name).toBeUndefined();
});

test('a token of 4,096 characters is read, a longer one is refused', async () => {
  const padded = (id: string, pad: number) =>
    forge({ ...head, kid: id }, { ...claims, pad: 'x'.repeat(pad) });
  /** A token of this length; the length of a base64url part is never one more than a multiple of four. */
  const tokenOf = (length: number): string => {
    const all = [kid, `${kid}2`].flatMap((id) =>
      Array.from({ length: 3 }, (_, i) =>
        padded(id, Math.floor(((length - padded(id, 0).length) * 3) / 4) - 1 + i),
      ),
    );
    return all.find((token) => token.length === length) ?? '';
  };
  const read = (token: string) =>
    verifyAccessToken(token, issuer, now, () => Promise.resolve(ours.publicKey)).then(
      ({ sub }) => sub,
      (error: ApiError) => error.code,
    );
  expect(tokenOf(4_096)).toHaveLength(4_096);
  expect(await read(tokenOf(4_096))).toBe(claims.sub);
  expect(tokenOf(4_097)).toHaveLength(4_097);
  expect(await read(tokenOf(4_097))).toBe('unauthenticated');
});
