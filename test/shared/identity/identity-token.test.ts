import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IdentityProvider } from '#shared/access/projects.ts';
import { email } from '#shared/model/email.ts';
import { httpsUrl, line } from '#shared/model/fields.ts';
import { limits } from '#shared/model/limits.ts';
import { anyCharacter } from '../../support/characters.ts';
import { settingsOf } from '../../support/identities.ts';
import { refusal as refusalBy, verify as verifyBy } from '../../support/identity-tokens.ts';
import { rs256, type Signer, startOpenidProvider } from '../../support/openid-provider.ts';
import { serve } from '../../support/serve.ts';

const openid = await startOpenidProvider();
const { forge, idToken, issuer, signed } = openid;
const ours: IdentityProvider = settingsOf(openid);

const verify = (token: string, provider = ours, options = {}) => verifyBy(token, provider, options);
const refusal = (token: string, provider = ours, options = {}) =>
  refusalBy(token, provider, options);

const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true };
const began = Math.floor(Date.now() / 1_000);
const seconds = (offset: number) => began + offset;

describe('a token that the provider issued', () => {
  test("yields the user's subject, e-mail, name and picture", async () => {
    const picture = 'https://pictures.example.com/ada=s96-c';
    const names = { given_name: 'Ada', family_name: 'Lovelace', name: 'Ada Lovelace' };
    expect(await verify(await idToken({ ...ada, ...names, picture }))).toEqual({
      issuer,
      subject: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      email_current: true,
      name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
      picture,
    });
  });

  test('is accepted without a name', async () => {
    expect(await verify(await idToken({ sub: 'bob', email: 'bob@example.com' }))).toEqual({
      issuer,
      subject: 'bob',
      email: 'bob@example.com',
      email_verified: false,
      email_current: false,
    });
  });

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    ['TRUE', false],
    [null, false],
    [undefined, false],
  ])('with email_verified %j has a verified e-mail: %s', async (email_verified, expected) => {
    const identity = await verify(await idToken({ ...ada, email_verified }));
    expect(identity.email_verified).toBe(expected);
  });

  test('is accepted for any client of the project, and refused for another client', async () => {
    const token = await idToken({ ...ada, client_id: openid.other_client_id });
    expect(await refusal(token)).toMatch(/audience/);
    const both = { ...ours, client_ids: [openid.client_id, openid.other_client_id] };
    expect(await verify(token, both)).toMatchObject({ subject: 'ada' });
    expect(await refusal(token, { ...ours, client_ids: [] })).toMatch(/audience/);
  });

  test('is refused where the project trusts another issuer', async () => {
    const token = await idToken(ada);
    for (const other of [`${issuer}/`, issuer.toUpperCase(), 'https://accounts.google.com'])
      expect(await refusal(token, { ...ours, issuer: other })).toMatch(/issuer/);
  });

  test('is refused if only another provider has its key', async () => {
    const other = await startOpenidProvider();
    const token = await other.idToken(ada);
    expect(await refusal(token)).toMatch(/no key/);
    const theirs = { ...other, client_ids: [other.client_id] };
    expect((await verify(token, theirs)).issuer).toBe(other.issuer);
  });

  test('is refused with one character changed anywhere', async () => {
    const token = await idToken(ada);
    for (let at = 0; at < token.length - 4; at += 23) {
      const letter = token[at] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, at)}${letter}${token.slice(at + 1)}`;
      expect(await refusal(changed)).toMatch(/signature|no key|algorithm|JWT|parameter/);
    }
  });
});

describe("Google's issuer", () => {
  const spellings = ['https://accounts.google.com', 'accounts.google.com'];

  test('is accepted in both spellings and returned in one', async () => {
    for (const said of spellings)
      for (const trusted of spellings) {
        const identity = await verify(signed({ iss: said }), { ...ours, issuer: trusted });
        expect(identity.issuer).toBe('https://accounts.google.com');
      }
  });

  test.each([
    'http://accounts.google.com',
    'https://accounts.google.com/',
    'https://accounts.google.com.example.com',
  ])('is not %s', async (iss) => {
    expect(await refusal(signed({ iss }), { ...ours, issuer: spellings[0] ?? '' })).toMatch(
      /issuer/,
    );
  });

  test('is the only issuer that may omit its scheme', async () => {
    const bare = issuer.replace('http://', '');
    expect(await refusal(signed({ iss: bare }))).toMatch(/issuer/);
  });
});

describe('several audiences', () => {
  const both = { ...ours, client_ids: ['a', 'b'] };

  test.each([
    [{ aud: ['a', 'b'], azp: 'b' }],
    [{ aud: ['b', 'a'], azp: 'a' }],
    [{ aud: ['a'] }],
    [{ aud: 'b' }],
    // A mobile app that signs in for the backend: Google names the app in `azp`.
    [{ aud: 'a', azp: 'android-app' }],
  ])('%j is accepted', async (claims) => {
    expect(await verify(signed(claims), both)).toMatchObject({ issuer });
  });

  test.each([
    [{ aud: ['a', 'b'] }],
    [{ aud: ['a', 'b'], azp: 'c' }],
    [{ aud: ['a', 'b'], azp: ['a'] }],
    [{ aud: ['a', 'c'], azp: 'a' }],
    [{ aud: ['a', 'c'], azp: 'c' }],
    [{ aud: ['a', 7], azp: 'a' }],
    [{ aud: ['c', 'd'], azp: 'a' }],
    [{ aud: [] }],
    [{ aud: { a: 'a' } }],
    [{ aud: 'c', azp: 'a' }],
    [{ aud: undefined, azp: 'a' }],
  ])('%j is refused', async (claims) => {
    expect(await refusal(signed(claims), both)).toMatch(/audience|aud/);
  });
});

describe('the times of a token, within a tolerance of 5 s:', () => {
  test.each([
    ['expired', { exp: seconds(-30) }, /expired/],
    ['without expiry', { exp: undefined }, /^The token has no claim `exp`$/],
    ['with an expiry that is no number', { exp: '2099-01-01' }, /`exp`/],
    ['not valid yet', { nbf: seconds(60) }, /not valid yet/],
    ['issued in the future', { iat: seconds(60) }, /future/],
    ['that does not say when it was issued', { iat: undefined }, /`iat`/],
    ['issued at no number', { iat: 'now' }, /`?iat/],
    ['issued more than a day ago', { iat: seconds(-86_500), exp: seconds(60) }, /day ago/],
  ])('a token %s is refused', async (_, claims, reason) => {
    expect(await refusal(signed(claims))).toMatch(reason);
  });

  test.each([
    ['just expired', { exp: seconds(60) }, 64],
    ['issued a moment ahead', { iat: seconds(60), exp: seconds(600) }, 56],
    ['issued almost a day ago', { exp: seconds(100_000) }, 86_390],
  ])('a token %s is accepted', async (_, claims, after) => {
    const now = new Date(seconds(after) * 1_000);
    expect(await verify(signed(claims), ours, { now })).toMatchObject({ issuer });
  });
});

describe('the nonce', () => {
  test('binds the token to the request', async () => {
    const token = await idToken({ ...ada, nonce: 'n-0S6_WzA2Mj' });
    expect(await verify(token, ours, { nonce: 'n-0S6_WzA2Mj' })).toMatchObject({ subject: 'ada' });
    for (const nonce of ['n-0S6_WzA2MJ', 'n-0S6_WzA2Mj ', ''])
      expect(await refusal(token, ours, { nonce })).toMatch(/differs/);
  });

  test('is refused if the request has none', async () => {
    expect(await refusal(await idToken({ ...ada, nonce: 'one' }))).toMatch(/has a nonce/);
  });

  test('is required if the request has one', async () => {
    expect(await refusal(await idToken(ada), ours, { nonce: 'one' })).toMatch(/no nonce/);
  });

  test.each([7, null, ['one'], { one: 1 }])('is refused if it is %j', async (nonce) => {
    expect(await refusal(signed({ nonce }), ours, { nonce: 'one' })).toMatch(/differs/);
  });
});

describe('a forged token', () => {
  const jwk = openid.stranger().publicKey.export({ format: 'jwk' });
  const hs256 = (secret: string | Buffer) => (text: string) =>
    createHmac('sha256', secret).update(text).digest();
  const { publicKey } = openid.signingKey();
  const emptySignature = () => Buffer.alloc(0);
  const pem = hs256(publicKey.export({ type: 'spki', format: 'pem' }));
  const bytes = hs256(publicKey.export({ type: 'spki', format: 'der' }));
  const allowed =
    /^The algorithm .* not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519$/;
  test.each<[string, object, RegExp, Signer?]>([
    ['without the key', {}, /signature/],
    ['with an unknown key id', { kid: 'mine' }, /no key/],
    ['with its key in the header', { jwk }, /signature/],
    ['with its key and an unknown key id in the header', { jwk, kid: 'mine' }, /no key/],
    ['without any signature', { alg: 'none' }, allowed, emptySignature],
    ['with an unknown algorithm', { alg: 'None' }, /algorithm/],
    ['with the public key as secret', { alg: 'HS256' }, /algorithm/, pem],
    ['with the bytes of the public key as secret', { alg: 'HS256' }, /algorithm/, bytes],
    ['that says RS256 and is signed by HS256', {}, /signature/, pem],
    ['that says ES256 for an RSA key', { alg: 'ES256' }, /no key/],
    ['without an algorithm', { alg: undefined }, /not a signed JWT/],
  ])('%s is refused', async (_, header, reason, signer) => {
    expect(await refusal(forge({}, header, signer))).toMatch(reason);
  });

  test('cannot make the service read keys from an address in it', async () => {
    let asked = 0;
    const keys = [{ ...jwk, kid: 'mine', alg: 'RS256' }];
    const his = await serve((_, response) => {
      asked += 1;
      response.end(JSON.stringify({ keys }));
    });
    for (const at of [{ jku: his }, { x5u: his }, { jku: his, kid: 'mine' }, { iss: his }])
      await refusal(forge({}, at));
    expect(asked).toBe(0);
  });

  test.each([
    ['a critical parameter', { crit: ['exp'], exp: 1 }, /critical/],
    ['an unknown critical parameter', { crit: ['x'], x: true }, /critical/],
    ['an empty list of critical parameters', { crit: [] }, /JWT/],
    ['an unencoded payload', { crit: ['b64'], b64: false }, /JWT/],
    ['the type of an access token', { typ: 'at+jwt' }, /not an ID token/],
    ['the type of a logout token', { typ: 'logout+jwt' }, /not an ID token/],
    ['a type that only begins as that of a JWT', { typ: 'JWTS' }, /not an ID token/],
    ['a type that is no text', { typ: 7 }, /not an ID token/],
  ])('is refused with %s, although the provider signed it', async (_, header, reason) => {
    expect(await refusal(signed({}, header))).toMatch(reason);
  });

  test('is not one that the provider signed, even if its header points at keys', async () => {
    const header = { jku: 'http://127.0.0.1:1/', x5u: 'http://127.0.0.1:1/', jwk };
    expect(await verify(signed({}, header))).toMatchObject({ issuer });
  });

  test('of 20 KB is refused before any key is read', async () => {
    const read = openid.keysRead();
    const unread = { ...ours, jwks_uri: `${ours.jwks_uri}?unread` };
    const long = signed({ filling: 'x'.repeat(20 * 1024) });
    expect(await refusal(long, unread)).toMatch(/too long/);
    expect(await refusal('x'.repeat(limits.identityToken), unread)).toMatch(/JWT/);
    expect(await refusal('x'.repeat(limits.identityToken + 1), unread)).toMatch(/too long/);
    expect(openid.keysRead()).toBe(read);
  });

  test.each(['', '.', '..', 'a.b.c', 'e30.e30.', 'e30.e30.e30.e30.e30', '{}', '\u0000'.repeat(9)])(
    'is refused if it is not a JWT: %j',
    async (text) => {
      expect(await refusal(text)).toMatch(/JWT/);
    },
  );

  test('is refused if only the encoding of its signature differs', async () => {
    const token = signed({});
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const next = letters[letters.indexOf(token.at(-1) ?? '') + 1] ?? '';
    for (const other of [`${token}==`, `${token} `, `${token}\n`, token.slice(0, -1) + next])
      expect(await refusal(other)).toMatch(/JWT/);
    expect(await verify(token)).toMatchObject({ issuer });
  });

  test.each(['null', '[]', '"text"', '{', ''])(
    'is refused if its payload is not a JSON object: %j',
    async (content) => {
      const text = `${signed({}).split('.')[0]}.${Buffer.from(content).toString('base64url')}`;
      const signature = rs256(openid.signingKey().privateKey)(text).toString('base64url');
      expect(await refusal(`${text}.${signature}`)).toMatch(/JWT/);
    },
  );
});

describe('the claims of a provider', () => {
  test.each([
    ['no subject', { sub: undefined }, /subject/],
    ['an empty subject', { sub: '' }, /subject/],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }, /subject/],
    ['a subject that is no text', { sub: 42 }, /subject/],
    ['a subject with a line break', { sub: 'ada\n' }, /subject/],
  ])('are refused with %s', async (_, claims, reason) => {
    expect(await refusal(signed(claims))).toMatch(reason);
  });

  test.each([
    [undefined],
    ['ada'],
    [['ada@example.com']],
    ['ada@localhost'],
    ['ada@example.com\nada@example.org'],
    [`${'x'.repeat(65)}@example.com`],
    ['kim@\u212aelvin.example.com'],
  ])('yield an empty, unverified e-mail for %j', async (said) => {
    const token = signed({ email: said, email_verified: true });
    expect(await verify(token)).toMatchObject({ email: '', email_verified: false });
  });

  test('may have a subject of up to 255 characters', async () => {
    for (const sub of ['x', 'x'.repeat(255)])
      expect((await verify(signed({ sub }))).subject).toBe(sub);
  });

  test.each([
    ...['http://pictures.example.com/ada.png', 'javascript:alert(1)'],
    ...['https://user:pass@example.com/', 'https://example.com/"onerror='],
    `https://example.com/${'x'.repeat(limits.url)}`,
    7,
    '',
  ])('yield no picture for %s', async (picture) => {
    expect(await verify(signed({ picture }))).not.toHaveProperty('picture');
  });

  test('yield a name of one line, cut at a whole character to the limit', async () => {
    const given_name = `  Ada\u0000\u202e\n${'x'.repeat(limits.name - 4)}\u{1f600}y`;
    const family_name = '\u2028\u0007 ';
    expect((await verify(signed({ given_name, family_name, name: {} }))).name).toEqual({
      given_name: `Ada${'x'.repeat(limits.name - 4)}`,
    });
  });

  test('always yield a profile that fits its rules', async () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
        .map((units) => String.fromCharCode(...units)),
      fc.webUrl(),
      fc.jsonValue(),
    );
    const names = ['name', 'given_name', 'family_name', 'picture', 'email_verified'];
    const claims = fc.record(Object.fromEntries(names.map((name) => [name, anything])));
    await fc.assert(
      fc.asyncProperty(claims, async (said) => {
        const identity = await verify(signed(said));
        for (const part of Object.values(identity.name ?? {}))
          expect(line(limits.name).min(1).safeParse(part).success).toBe(true);
        if (identity.picture !== undefined)
          expect(httpsUrl.safeParse(identity.picture).success).toBe(true);
        expect((await email.safeParseAsync(identity.email)).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
