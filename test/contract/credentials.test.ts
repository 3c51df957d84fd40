import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { bodyLimitOf } from '#shared/contract/route.ts';
import { errorCodes } from '#shared/model/error-codes.ts';
import { claimsOf } from '../model/tokens.ts';
import { expectSame } from '../support/expectations.ts';
import { pathOf } from '../support/routes.ts';
import { signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';
import { type Change, credentialFor, routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

const world = await startWorld();
const call = routeCaller(world);
// After the world has started, because these modules read the environment that it sets.
const { signAccessToken } = await import('#shared/access/access-token.ts');
const { getSigningKeys } = await import('#shared/access/signing-keys.ts');
const { runInRequest } = await import('#shared/db/request-context.ts');
const { keys } = await import('#shared/db/keys.ts');

const open = routes.filter(({ auth }) => auth.length === 0);
const guarded = routes.filter(({ auth }) => auth.length > 0);
const byPerson = routes.filter(({ auth }) => auth.includes('access'));
const byProject = routes.filter(({ auth }) => auth.includes('project'));
type Route = (typeof routes)[number];
/**
 * Whether a route is the first with its schemes. What reads a credential knows only them: it gets every variation there,
 * and at each other route one of each kind.
 */
const isFirst = (route: Route) =>
  guarded.find(({ auth }) => auth.join() === route.auth.join()) === route;

/** The table without the rate-limit counters of a project. */
const stored = async () =>
  (await world.table.all()).filter(({ pk }) => !/^RATE#\w+Door#/.test(String(pk)));

let person: Person;
let other: Person;
let before: unknown[];
beforeAll(async () => {
  person = await world.user();
  other = await world.user({ project: await world.newProject() });
  before = await stored();
});

/** The challenges of a 401 by the route's schemes, for a caller that sent a token or none. */
function challenge({ auth }: Route, error = ''): string {
  const basic = auth.includes('project') ? ['Basic realm="project", charset="UTF-8"'] : [];
  const bearer = auth.some((scheme) => scheme !== 'project');
  return [...basic, ...(bearer ? [`Bearer realm="user"${error}`] : [])].join(', ');
}

async function expectRefused(
  route: Route,
  auth: string | undefined,
  code = 'unauthenticated',
  change: Change = {},
) {
  const answer = await call(route, { ...change, auth });
  const what = `${route.name} ${auth}`;
  expect([answer.status, answer.body.code], what).toEqual([401, code]);
  const given = auth?.toLowerCase().startsWith('bearer ');
  const error = given ? `, error="invalid_token", error_description="${answer.body.detail}"` : '';
  expect(answer.headers.get('www-authenticate'), what).toBe(challenge(route, error));
}

const base64 = (content: string) => Buffer.from(content).toString('base64');
const changed = (word: string) =>
  `${word.slice(0, -5)}${word.at(-5) === 'A' ? 'B' : 'A'}${word.slice(-4)}`;

test('every route needs a credential but those for signing in and the public documents', () => {
  expect(open.map(({ path }) => path)).toEqual([
    ...['/sign-up', '/sessions/password', '/passwords/forgotten', '/passwords'],
    ...[
      '/codes',
      '/sessions/code',
      ...['/links', '/links/code', '/sessions/link'],
      '/sessions/passkey/options',
      '/sessions/passkey',
      '/sessions/mfa',
      '/sessions/mfa/totp',
      '/sessions/mfa/totp/confirm',
      '/sessions/identity',
      '/oauth/{provider}/start',
      ...['/oauth/{provider}/callback', '/oauth/{provider}/callback', '/sessions/oauth'],
      '/projects/{project_id}',
    ],
    ...['/authorize', '/authorize', '/token', '/logout', '/logout'],
    ...['/.well-known/jwks.json', '/.well-known/openid-configuration'],
    '/.well-known/oauth-authorization-server',
    ...['/', '/openapi.json', '/docs', '/docs/{file}'],
    ...['/pages/{project_id}/{page}', '/pages/assets/{file}'],
  ]);
});

/** Client credentials have a separate test: test/functions/oauth/token.test.ts. */
const deaf = open.filter(({ name }) => name !== 'oauth.token');

describe.each(deaf)('$name', (route) => {
  test('ignores a credential', async () => {
    const plain = await call(route);
    for (const auth of [world.project.basic, person.bearer, 'Basic !!!', 'Bearer x', 'Digest x'])
      expectSame(await call(route, { auth }), plain);
  });
});

describe.each(guarded)('$name', (route) => {
  test('without a credential: 401 with a challenge for every accepted scheme', async () => {
    await expectRefused(route, undefined);
  });

  test('without a credential: 401 before anything else of the request is checked', async () => {
    const none = 'unauthenticated';
    const params = Object.fromEntries(
      Object.keys(sampleOf(route).params).map((name) => [name, '~']),
    );
    await expectRefused(route, undefined, none, { params, query: { unknown: 'x' } });
    if (!route.body) return;
    await expectRefused(route, undefined, none, { raw: '{' });
    await expectRefused(route, undefined, none, { headers: { 'content-type': 'text/plain' } });
    await expectRefused(route, undefined, none, { raw: ' '.repeat(bodyLimitOf(route) + 1) });
  });

  test('with an unknown or unaccepted scheme: 401', async () => {
    const secret = base64(`${world.project.project_id}:${world.project.secret}`);
    const wrong = [`Digest ${secret}`, `Token ${person.access_token}`, 'Negotiate YII=', secret];
    if (!route.auth.includes('project')) wrong.push(world.project.basic);
    if (!route.auth.includes('access')) wrong.push(person.bearer);
    if (!route.auth.includes('refresh')) wrong.push(`Bearer ${person.refresh_token}`);
    for (const auth of wrong) await expectRefused(route, auth);
  });

  test('with an invalid credential: 401', async () => {
    const { project_id, secret } = world.project;
    const { access_token, refresh_token, project } = { ...person };
    const garbage = [
      'Basic',
      'Basic !!!',
      'Basic Og==',
      `Basic ${base64(project_id)}`,
      `Basic ${base64(`${project_id}:`)}`,
      `Basic ${base64(`nobody:${secret}`)}`,
      `Basic ${base64(`${other.project.project_id}:${secret}`)}`,
      `${project.basic}!`,
      'Bearer x',
      `Bearer ${access_token}.`,
      `Bearer ${forged(access_token)}`,
      `Bearer ${'A'.repeat(4_000)}`,
    ];
    const changedOnes = [
      `Basic ${base64(`${project_id}:${changed(secret)}`)}`,
      `Bearer ${changed(access_token)}`,
      `Bearer ${changed(refresh_token)}`,
    ];
    for (const auth of [...changedOnes, ...(isFirst(route) ? garbage : [])])
      await expectRefused(route, auth);
  });

  test('with two credentials, in one header or in two: 401', async () => {
    const good = credentialFor(route, world, person) ?? '';
    if (route.auth.includes('cookie')) return twoCookies(route, good);
    for (const auth of [`${good},${good}`, `${good}, ${good}`]) await expectRefused(route, auth);
    expect(await statusOfTwo(route, good)).toBe(401);
  });
});

/** If a cookie occurs twice, neither counts: another host of the site may have planted one. */
async function twoCookies(route: Route, good: string): Promise<void> {
  const { project_id } = sampleOf(route).params;
  for (const second of ['x', good.slice('Cookie '.length)])
    await expectRefused(route, `${good}; session-${project_id}=${second}`);
}

/** An unsigned token for another user. */
function forged(token: string): string {
  const header = { alg: 'none', typ: 'at+jwt', kid: 'x' };
  const claims = { ...claimsOf(token), sub: other.uid };
  return (
    [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.') + '.'
  );
}

/** The status of a request that has the header twice, which fetch cannot send. */
async function statusOfTwo(route: Route, authorization: string): Promise<number> {
  const { hostname, port } = new URL(world.url);
  const { params, body } = sampleOf(route);
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${route.method} ${pathOf(route, params)} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: ${authorization}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(content)}`,
    'Connection: close',
  ];
  const socket = connect(Number(port), hostname);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${content}`);
  return Number((await text(socket)).split(' ')[1]);
}

/** A token with our own signature over changed claims. */
async function signed(change: object): Promise<string> {
  const { rsa } = await runInRequest('test', 2_500, getSigningKeys);
  return `Bearer ${signAccessToken({ ...claimsOf(person.access_token), ...change }, rsa)}`;
}

describe.each(byPerson)('$name, by a user', (route) => {
  test('with an expired access token: 401 token_expired', async () => {
    const now = Math.floor(Date.now() / 1_000);
    await expectRefused(route, await signed({ iat: now - 700, exp: now - 100 }), 'token_expired');
  });

  test('with a token of another issuer, project, session or user: 401', async () => {
    const { project, uid } = other;
    const { sid } = claimsOf(other.access_token);
    const foreign = [{ aud: project.project_id }, { sub: uid, sid }];
    const others = [{ iss: 'https://evil.example' }, { aud: 'nobody' }, { sid }, { sub: uid }];
    for (const claims of [...foreign, ...(isFirst(route) ? others : [])])
      await expectRefused(route, await signed(claims));
  });
});

test('none of these requests has written anything', async () => {
  expect(await stored()).toEqual(before);
});

// RFC 9110 section 15.5.2: a 401 has a challenge. RFC 6750 section 3.1: the token in the request, if any, is valid, so
// the challenge does not mention it; otherwise the client would discard it.
describe('a 401 because of the body has a challenge without an error about the token', async () => {
  const { url: issuer } = world;
  const google = { issuer, jwks_uri: `${issuer}/jwks`, client_ids: ['x'] };
  const { project } = await signInProject(world, {
    identity_providers: { google },
    sign_in_providers: { github: { client_id: 'x' } },
    passkeys: true,
    mfa: 'optional',
  });
  const refusing = routes.filter((route) =>
    route.errors.some(
      (code) =>
        errorCodes[code].status === 401 &&
        !['invalid_client', 'reauthentication_required'].includes(code) &&
        !route.name.endsWith('essions.refresh'),
    ),
  );

  /** A second factor, or an unconfirmed enrolment, with a wrong code. */
  const factorFor = ({ name }: Route, { sub: uid, sid }: Record<'sub' | 'sid', string>) => ({
    ...keys.factor(uid),
    ...{ uid, project_id: project.project_id, factor_id: 'f', recovery_digests: [] },
    ...(name.startsWith('factors.confirm')
      ? {
          session_id: name === 'factors.confirmTotp' ? sid : keys.mfaToken('m'.repeat(43)).pk,
          expires_at: Math.ceil(Date.now() / 1_000) + 60,
        }
      : { confirmed_at: new Date().toISOString() }),
  });

  /** A wrong code of a link or a factor, with the sign-in token that requires it. */
  async function wrongCode({ name }: Route, body: unknown, uid: string): Promise<object> {
    if (name === 'links.signIn') return { code: '314159' };
    if (!name.startsWith('factors.') || name === 'factors.startTotp') return {};
    const { mfa_token } = body as { mfa_token?: string };
    const { version } = (await world.table.get(keys.user(uid))) ?? {};
    const { project_id } = project;
    const expires_at = Math.ceil(Date.now() / 1_000) + 60;
    const waiting = { project_id, uid, method: 'idpw', version, sign_outs: 0, expires_at };
    if (mfa_token !== undefined) await world.table.put({ ...keys.mfaToken(mfa_token), ...waiting });
    return { code: '314159' };
  }

  test.each(refusing)('$name', async (route) => {
    const { project_id } = project;
    const { bearer, uid, access_token } = await world.user({ project });
    if (route.name.startsWith('factors.'))
      await world.table.put(factorFor(route, claimsOf(access_token)));
    const { body, params } = sampleOf(route);
    const own = 'uid' in params ? { uid } : params;
    const given = {
      current_password: 'wrong',
      provider: 'google',
      project_id,
      ...(await wrongCode(route, body, uid)),
    };
    const fields = Object.keys(route.body?.shape ?? {});
    const known = Object.entries(given).filter(([name]) => fields.includes(name));
    for (const auth of route.auth.length > 0 ? [bearer] : [undefined, bearer, project.basic]) {
      const change = { params: own, body: { ...body, ...Object.fromEntries(known) } };
      const answer = await call(route, { auth, ...change });
      expect([answer.status, answer.body.code]).toEqual([
        401,
        /^(?:identities|providers)\.signIn$/.test(route.name)
          ? 'identity_token_invalid'
          : 'invalid_credentials',
      ]);
      const takesBasic = route.auth.some((scheme) => scheme === 'project');
      const others = takesBasic ? 'Basic realm="project", charset="UTF-8", ' : '';
      expect(answer.headers.get('www-authenticate')).toBe(`${others}Bearer realm="user"`);
    }
  });
});

const ends: Record<string, (at: { uid: string; sid: string }) => Promise<void>> = {
  revoked: ({ uid, sid }) =>
    world.table.update(keys.session(uid, sid), { revoked_at: new Date().toISOString() }),
  deleted: ({ uid, sid }) => world.table.delete(keys.session(uid, sid)),
  idle: ({ uid, sid }) =>
    world.table.update(keys.session(uid, sid), { idle_expires_at: Math.floor(Date.now() / 1_000) }),
  expired: ({ uid, sid }) =>
    world.table.update(keys.session(uid, sid), { expires_at: Math.floor(Date.now() / 1_000) }),
};

describe.each(Object.entries(ends))('a session that is %s', (_, end) => {
  test('cannot be used on any route, immediately, and nothing is written', async () => {
    const { uid, bearer, access_token } = await world.session(person.uid);
    await end({ uid, sid: claimsOf(access_token).sid });
    const all = await stored();
    for (const route of byPerson) await expectRefused(route, bearer);
    expect(await stored()).toEqual(all);
  });
});

test('a rotated secret is refused on every route', async () => {
  const { project_id, basic } = await world.newProject();
  await world.operate({ action: 'rotate-key', project_id, keep: 0 });
  for (const route of byProject) await expectRefused(route, basic);
});
