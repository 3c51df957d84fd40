import { createPublicKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBackend, TokenError } from '../../../client/server.ts';
import { forgeriesOf, stranger, type Target } from '../../attack/forgeries.ts';
import { genuineTokenOf } from '../../attack/genuine.ts';
import { byKey, byMac, compact, encode, flipped, sideBySide } from '../../attack/tokens.ts';
import { serve } from '../../support/serve.ts';
import { startWorld } from '../../support/world.ts';

/** Forged and expired access tokens against a backend's offline verification. */

const world = await startWorld();
const person = await world.user({ email: 'ada@example.com', verified: true });
const other = await world.user({ project: await world.newProject() });
const { target, privateKey, signed } = await genuineTokenOf(world, person);
const { header, claims } = target;
let fetched = 0;
const theirs = await serve((_, response) => {
  fetched += 1;
  response.end('{"keys":[]}');
});
const { project_id: projectId, secret } = world.project;
const backend = createBackend({ url: world.url, projectId, secret });

const outcomeOf = (token: unknown, of = backend): Promise<string> =>
  of.verify(token as string).then(
    () => 'accepted',
    (error: unknown) => (error instanceof TokenError ? error.code : String(error)),
  );

/** The tokens that are not refused as invalid, with their outcome. */
async function othersThanInvalid(forgeries: Record<string, unknown>): Promise<string[]> {
  const outcomes: string[] = [];
  for (const [name, token] of Object.entries(forgeries)) {
    const outcome = await outcomeOf(token);
    if (outcome !== 'invalid_token') outcomes.push(`${name}: ${outcome}`);
  }
  return outcomes;
}

/** The unchanged token is valid: so every refusal is due to the forgery. */
const expectGenuineAccepted = async () =>
  expect(await outcomeOf(person.access_token)).toBe('accepted');
beforeEach(expectGenuineAccepted);
afterEach(expectGenuineAccepted);

test.each(Object.entries(forgeriesOf(target, other.access_token, theirs)))(
  'refuses tokens %s',
  async (_, forgeries) => {
    expect(Object.keys(forgeries).length).toBeGreaterThan(5);
    expect(await othersThanInvalid(forgeries)).toEqual([]);
    expect(fetched).toBe(0);
  },
);

test('says to the backend alone whose the token of another issuer or project is', async () => {
  const ours = `${world.url}, ${projectId}`;
  const forged = { ...claims, iss: `https://evil.example/\n${'x'.repeat(1_000)}` };
  // Ends of lines to many a log, a control sequence (C1) of a terminal, and a change of the direction.
  const splitting = signed({ ...claims, iss: 'https://evil.example/\u2028\u0085\u009b2J\u202e' });
  const token = signed(forged);
  const messageOf = (each: string) => backend.verify(each).catch((error: Error) => error.message);
  const { project_id } = other.project;
  const start = 'The access token is of';
  expect(await messageOf(other.access_token)).toBe(
    `${start} ["${world.url}","${project_id}"], not ${ours}`,
  );
  const message = await messageOf(token);
  expect(message).toMatch(/^The .* \["https:\/\/evil\.example\/\\nx{200}.*, not .*$/);
  expect(message).toHaveLength(`${start} , not ${ours}`.length + 300);
  expect(await messageOf(splitting)).toMatch(/ \["https:\/\/evil\.example\/\?\?\?2J\?",[ -~]*$/);
  const { headers } = await backend.authenticateRequest({
    headers: { authorization: `Bearer ${token}` },
  });
  expect(headers?.['www-authenticate']).toContain('"The access token is not valid"');
});

test('refuses other tokens of the service, and values that are not tokens', async () => {
  expect(
    await othersThanInvalid({
      'of another project': other.access_token,
      'refresh token': person.refresh_token,
      'project secret': secret,
      nothing: '',
      undefined,
      null: null,
      'a number': 7,
      'an array': [person.access_token],
      'too long, and signed': signed({ ...claims, more: 'x'.repeat(4_096) }),
      'too long': `${person.access_token}${'A'.repeat(4_096)}`,
      'a million dots': '.'.repeat(1_000_000),
    }),
  ).toEqual([]);
});

describe('with the genuine signature of the service', () => {
  const { typ, ...untyped } = header;

  test('refuses every other type, algorithm and critical extension', async () => {
    const headers: Record<string, unknown> = {
      'no typ': untyped,
      'no alg': { typ, kid: header['kid'] },
      'no kid': { typ, alg: header['alg'] },
      'crit with an unknown name': { ...header, crit: ['x'], x: true },
      'crit of kid': { ...header, crit: ['kid'] },
      'crit empty': { ...header, crit: [] },
      'b64 false': { ...header, b64: false, crit: ['b64'] },
      'an array': [header],
      null: 'null',
      nothing: '',
      'JSON with text after it': `${JSON.stringify(header)}{}`,
      'a byte order mark': `\ufeff${JSON.stringify(header)}`,
      'UTF-16': Buffer.from(JSON.stringify(header), 'utf16le'),
    };
    for (const each of ['JWT', 'AT+JWT', 'application/at+jwt', 'rt+jwt', 'id+jwt', '', null, 7])
      headers[`typ ${JSON.stringify(each)}`] = { ...header, typ: each };
    for (const alg of ['none', 'HS256', 'RS384', 'PS256', 'ES256', 'EdDSA', 'rs256', '', null])
      headers[`alg ${JSON.stringify(alg)}`] = { ...header, alg };
    const tokens = Object.entries(headers).map(([name, head]) => [name, signed(claims, head)]);
    expect(await othersThanInvalid(Object.fromEntries(tokens))).toEqual([]);
  });

  test('ignores keys, and URLs to keys, in the header', async () => {
    const jwk = stranger.publicKey.export({ format: 'jwk' });
    const head = { ...header, jwk, jku: theirs, x5u: theirs, x5c: ['AAAA'] };
    expect(await outcomeOf(signed(claims, head))).toBe('accepted');
    const forged = compact(head, claims, byKey(stranger.privateKey));
    expect([await outcomeOf(forged), fetched]).toEqual(['invalid_token', 0]);
  });

  const odd: unknown[] = [null, true, 7, 1.5, [], {}, ['x'], '', 'x'];
  const wrong: Record<string, unknown[]> = {
    iss: [
      ...odd,
      [claims['iss']],
      `${world.url}/`,
      world.url.toUpperCase(),
      'https://evil.example',
    ],
    aud: [...odd, [projectId], [projectId, 'x'], other.project.project_id, `${projectId} `],
    sub: [null, true, 7, [], {}, [claims['sub']]],
    sid: [null, true, 7, [], {}, [claims['sid']]],
    iat: [null, true, '7', [], {}, 1.5, 9_999_999_999, 2 ** 53],
    exp: [null, true, '9999999999', [], {}, 9_999_999_999.5, 2 ** 53],
    nbf: [null, true, '7', [], {}, 9_999_999_999],
    jti: [null, true, 7],
    email: [null, true, 7],
    email_verified: [null, 'true', 1],
  };
  test.each(Object.entries(wrong))('refuses a wrong %s', async (name, values) => {
    const tokens = values.map((value) => [
      JSON.stringify(value),
      signed({ ...claims, [name]: value }),
    ]);
    expect(await othersThanInvalid(Object.fromEntries(tokens))).toEqual([]);
  });

  test('refuses a token without a required claim, and content that is not an object of claims', async () => {
    // Services before 0.12.0 do not state the time of the sign-in, and those before 0.21.0 not the client.
    const required = Object.keys(claims).filter((name) => !/^(?:auth_time|client_id)$/.test(name));
    const tokens = required.map((name) => {
      const { [name]: _, ...rest } = claims;
      return [`no ${name}`, signed(rest)];
    });
    const text = JSON.stringify(claims);
    const contents = {
      'exp larger than any number': text.replace(/"exp":\d+/, '"exp":1e309'),
      'aud given twice': `${text.slice(0, -1)},"aud":"${other.project.project_id}"}`,
      'an array': `[${text}]`,
      null: 'null',
      'a byte order mark': `\ufeff${text}`,
    };
    for (const [name, content] of Object.entries(contents)) tokens.push([name, signed(content)]);
    expect(tokens).toHaveLength(14);
    expect(await othersThanInvalid(Object.fromEntries(tokens))).toEqual([]);
  });
});

describe('the time', () => {
  const { iat, exp } = claims as { iat: number; exp: number };
  // The unchanged token is valid again after each test.
  afterEach(() => vi.useRealTimers());
  /** The outcome for a token at a time in epoch seconds. */
  async function at(time: number, token = person.access_token): Promise<string> {
    vi.useFakeTimers({ toFake: ['Date'], now: time * 1_000 });
    return outcomeOf(token);
  }

  test('returns the claims of a token, with or without a slash at the end of the URL', async () => {
    const slashed = createBackend({ url: `${world.url}/`, projectId, secret });
    for (const each of [backend, slashed])
      expect(await each.verify(person.access_token)).toEqual({
        iss: world.url,
        aud: projectId,
        client_id: projectId,
        sub: person.uid,
        sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        iat,
        exp: iat + 600,
        jti: expect.any(String),
        auth_time: iat,
        email: 'ada@example.com',
        email_verified: true,
      });
  });

  test('accepts a token from its time of issue until its expiry, with five seconds of leeway', async () => {
    expect([
      await at(iat - 5.1),
      await at(iat - 5),
      await at(exp),
      await at(exp + 4.9),
      await at(exp + 5),
      await at(exp + 1_000_000),
    ]).toEqual([
      'invalid_token',
      'accepted',
      'accepted',
      'accepted',
      'token_expired',
      'token_expired',
    ]);
  });

  test('refuses a token before its nbf', async () => {
    const later = signed({ ...claims, nbf: iat + 100 });
    expect([await at(iat + 94.9, later), await at(iat + 95, later)]).toEqual([
      'invalid_token',
      'accepted',
    ]);
  });

  test('reports token_expired only for a token with a valid signature', async () => {
    const [head, body, signature = ''] = person.access_token.split('.');
    const forged = `${head}.${body}.${signature.split('').toReversed().join('')}`;
    expect([await at(exp + 10, forged), await at(exp + 10)]).toEqual([
      'invalid_token',
      'token_expired',
    ]);
  });
});

describe('a project with ES256', async () => {
  const project = await world.newProject({ token_algorithm: 'ES256' });
  const ada = await world.user({ project });
  const es256 = createBackend({ url: world.url, projectId: project.project_id, secret });
  const { getSigningKeys, signerFor } = await import('#shared/access/signing-keys.ts');
  const { runInRequest } = await import('#shared/db/request-context.ts');
  const key = await runInRequest('test', 2_500, async () =>
    signerFor({ token_algorithm: 'ES256' }, await getSigningKeys()),
  );
  const [head = '', body = '', signature = ''] = ada.access_token.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const it: Target = {
    genuine: ada.access_token,
    header: parse(head),
    claims: parse(body),
    publicKey: createPublicKey(key.privateKey),
    kid: key.kid,
  };

  test('has tokens that only its own backend accepts', async () => {
    const own = compact(it.header, it.claims, byKey(key.privateKey, 'sha256', sideBySide));
    expect([it.header['alg'], it.kid]).toEqual(['ES256', it.header['kid']]);
    expect(await outcomeOf(ada.access_token, es256)).toBe('accepted');
    expect(await outcomeOf(own, es256)).toBe('accepted');
    expect(await outcomeOf(ada.access_token)).toBe('invalid_token');
  });

  const bytes = Buffer.from(signature, 'base64url');
  const by = (content: Buffer) => `${head}.${body}.${content.toString('base64url')}`;
  const pem = it.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const { x = '', y = '' } = it.publicKey.export({ format: 'jwk' });
  const rs256 = { ...it.header, alg: 'RS256' };
  const forgeries: Record<string, string> = {
    'a signature in DER': compact(it.header, it.claims, byKey(key.privateKey)),
    'a signature of zeros (CVE-2022-21449)': by(Buffer.alloc(64)),
    'no signature': by(Buffer.alloc(0)),
    'a truncated signature': by(bytes.subarray(0, 63)),
    'a signature with a trailing zero': by(Buffer.concat([bytes, Buffer.alloc(1)])),
    'a signature with zeros inserted': by(
      Buffer.concat([Buffer.alloc(1), bytes.subarray(0, 32), Buffer.alloc(1), bytes.subarray(32)]),
    ),
    'a signature with one letter changed': flipped(ada.access_token, ada.access_token.length - 9),
    'other claims': `${head}.${encode({ ...it.claims, admin: true })}.${signature}`,
    'RS256 in the header, signed with the EC key': compact(rs256, it.claims, byKey(key.privateKey)),
    'RS256 in the header, with the genuine signature': `${encode(rs256)}.${body}.${signature}`,
    'RS256 with the RSA key, and the id of the EC key': compact(
      rs256,
      it.claims,
      byKey(privateKey),
    ),
    'ES256 in the header, signed with the RSA key, with its id': compact(
      { ...it.header, kid: target.kid },
      it.claims,
      byKey(privateKey),
    ),
    ...Object.fromEntries(
      [pem, JSON.stringify({ kty: 'EC', crv: 'P-256', x, y }), x, `${x}${y}`, ''].map((text, i) => [
        `HS256 with the public key, spelling ${i}`,
        compact({ ...it.header, alg: 'HS256' }, it.claims, byMac(text)),
      ]),
    ),
  };
  test.each(Object.entries(forgeries))('refuses %s', async (_, token) => {
    expect(await outcomeOf(token, es256)).toBe('invalid_token');
  });
});
