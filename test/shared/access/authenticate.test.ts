/**
 * @module-tag engine
 * @module-tag alone
 */
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signAccessToken } from '#shared/access/access-token.ts';
import { authenticate, challenges } from '#shared/access/authenticate.ts';
import { getSecretUse } from '#shared/access/last-use.ts';
import {
  isLiveSession,
  requireLiveSession,
  type SessionItem,
} from '#shared/access/live-session.ts';
import { newProjectSecret } from '#shared/access/project-secret.ts';
import type { Scheme } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import { ApiError } from '#shared/model/errors.ts';
import { sha256 } from '#shared/model/ids.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { pass } from '../../support/started.ts';

const faults = await openFaultyTable();
const [secret, limited] = [newProjectSecret(), newProjectSecret()];
const stored = { secret_id: 'x', sha256: sha256(secret) };
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';
const session_id = '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11';

beforeAll(async () => {
  vi.stubEnv('BASE_URL', 'https://id.example.com');
  const { n, e } = publicKey.export({ format: 'jwk' });
  const project = (project_id: string, more: object = {}) => ({
    ...{ ...keys.project(project_id), project_id, secrets: [stored] },
    ...more,
  });
  const source_cidrs = ['203.0.113.0/24'];
  await faults.seed([
    project('demo'),
    project('other', { secrets: [{ secret_id: 'x', sha256: sha256(limited) }] }),
    project('acted', { impersonation: 'on' }),
    project('near', {
      secrets: [stored, { secret_id: 'y', sha256: sha256(limited), source_cidrs }],
    }),
    { ...keys.publicKey('k'), kid: 'k', n, e },
  ]);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const good = base64(`demo:${secret}`);
const tokenOf = (aud: string, more: object = {}) => {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ sub: uid, aud, sid: session_id, jti: 'j', iat, exp: iat + 600 },
    ...{ email: '', email_verified: false, ...more },
  };
  return signAccessToken({ iss: 'https://id.example.com', ...claims }, { kid: 'k', privateKey });
};

const callerBy = (header: string | undefined, ...schemes: Scheme[]) =>
  request(({ now }) =>
    authenticate(schemes.length > 0 ? schemes : ['project', 'access'], header, now),
  );
const callerFrom = (address: string | undefined, header: string | undefined) =>
  request(({ now }) => authenticate(['project', 'access'], header, now, address));

async function callerOrCode(header: string | undefined, ...schemes: Scheme[]): Promise<string> {
  try {
    const caller = await callerBy(header, ...schemes);
    if (caller.kind === 'refresh') return `refresh ${caller.token}`;
    return caller.kind === 'person' ? `${caller.uid} of ${caller.project_id}` : caller.project_id;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

// The form of a header: authorization-header.test.ts.
describe('accepts', () => {
  test('any refresh token, without verifying it', async () => {
    expect(await callerOrCode('Bearer rt_x', 'refresh')).toBe('refresh rt_x');
  });

  test('a credential, and returns the caller for the rest of the request', async () => {
    const project = { project_id: 'demo', secrets: [stored] };
    expect(await callerBy(`Basic ${good}`)).toMatchObject({
      ...{ kind: 'project', project_id: 'demo', project, secret_id: 'x' },
    });
    expect(await callerBy(`Bearer ${tokenOf('demo')}`)).toMatchObject({
      ...{ kind: 'person', project_id: 'demo', project, uid, session_id },
      claimed: { email: '', email_verified: false },
    });
  });

  test('a secret, and records its use', async () => {
    await callerOrCode(`Basic ${good}`);
    const use = await request(() => getSecretUse('demo', 'x'));
    expect(use).toMatchObject({ day: new Date().toISOString().slice(0, 10) });
  });

  test('a header of up to 4,200 characters', async () => {
    const token = 'x'.repeat(4_200 - 'Bearer '.length);
    expect(await callerOrCode(`Bearer ${token}`, 'refresh')).toBe(`refresh ${token}`);
    expect(await callerOrCode(`Bearer ${token}x`, 'refresh')).toBe('unauthenticated');
  });

  test('a project created after a first attempt', async () => {
    const late = base64(`late:${secret}`);
    const headers = [`Bearer ${tokenOf('late')}`, `Basic ${late}`];
    for (const header of headers) expect(await callerOrCode(header)).toBe('unauthenticated');
    await faults.seed([{ ...keys.project('late'), project_id: 'late', secrets: [stored] }]);
    pass(lifetimes.projectReread * 1_000);
    for (const header of headers) expect(await callerOrCode(header)).toMatch(/late$/);
  });
});

describe('refuses', () => {
  test.each([
    ['Basic under Bearer', `Bearer ${good}`],
    ['a token under Basic', `Basic ${tokenOf('demo')}`],
    ['no secret', `Basic ${base64('demo:')}`],
    ['no project', `Basic ${base64(`:${secret}`)}`],
    ['another project', `Basic ${base64(`other:${secret}`)}`],
    ['a project in upper case', `Basic ${base64(`DEMO:${secret}`)}`],
    ['a project with a key of the table in it', `Basic ${base64(`demo#x:${secret}`)}`],
    ['the digest instead of the secret', `Basic ${base64(`demo:${sha256(secret)}`)}`],
  ])('%s', async (_, header) => {
    expect(await callerOrCode(header)).toBe('unauthenticated');
  });

  test('a valid credential of a scheme that the route does not accept', async () => {
    expect(await callerOrCode(`Basic ${good}`, 'access')).toBe('unauthenticated');
    expect(await callerOrCode(`Basic ${good}`, 'refresh')).toBe('unauthenticated');
    expect(await callerOrCode(`Bearer ${tokenOf('demo')}`, 'project')).toBe('unauthenticated');
  });

  test('a malformed credential without reading the table', async () => {
    const malformed = ['Basic', `Basic ${good},x`, 'Basic %%%', 'Bearer x', 'Digest x'];
    for (const header of [undefined, ...malformed]) await callerOrCode(header);
    expect(faults.calls).toEqual([]);
  });
});

const byBasic = (text: string) => `Basic ${base64(text)}`;
const bearer = (aud: string, more: object = {}) => `Bearer ${tokenOf(aud, more)}`;
const refusalFrom = (address: string | undefined, header: string | undefined) =>
  callerFrom(address, header).then(
    () => 'let in',
    ({ code, reason }: ApiError) => [code, reason],
  );

const unknown = 'no such project, or not a secret of it';
const elsewhere = 'the secret does not work from this address';

// Titles are the same in each run: by them a mutant's tests are found.
test.each([
  ['no header', undefined, 'no credential of an accepted scheme'],
  ['only a scheme', 'Bearer', 'no credential of an accepted scheme'],
  ['another scheme', 'Digest x', 'not a scheme of this endpoint'],
  ['a Basic credential without a colon', byBasic('demo'), 'no project secret'],
  ['a text that is not a secret', byBasic('demo:x'), 'no project secret'],
  ['an unknown project', byBasic(`nobodys:${secret}`), unknown],
  ['a wrong secret', byBasic(`demo:${newProjectSecret()}`), unknown],
  ['a secret from outside its network', byBasic(`near:${limited}`), elsewhere],
])('%s is refused, with its reason in the log', async (_, header, reason) => {
  expect(await refusalFrom('198.51.100.1', header)).toEqual(['unauthenticated', reason]);
});

test('the log of a refused secret names its project', async () => {
  await request(async (context) => {
    const header = byBasic(`demo:${newProjectSecret()}`);
    await expect(authenticate(['project'], header, context.now)).rejects.toThrow(ApiError);
    expect(context.subject).toEqual({ project_id: 'demo' });
  });
});

test('a secret of one network works only from there; another works from everywhere', async () => {
  const near = (of: string) => byBasic(`near:${of}`);
  expect(await callerFrom('203.0.113.7', near(limited))).toMatchObject({ secret_id: 'y' });
  for (const address of ['203.0.114.7', '', undefined])
    expect(await refusalFrom(address, near(limited))).toEqual(['unauthenticated', elsewhere]);
  for (const address of ['198.51.100.1', undefined])
    expect(await callerFrom(address, near(secret))).toMatchObject({ secret_id: 'x' });
});

describe('a token', () => {
  test('of a project that does not exist is refused', async () => {
    const gone = ['unauthenticated', 'the project is gone'];
    expect(await refusalFrom(undefined, bearer('nobodys'))).toEqual(gone);
  });

  test('of an actor works only while the project allows impersonation', async () => {
    const act = { sub: 'support' };
    const caller = { kind: 'person', uid, impersonator: 'support' };
    expect(await callerBy(bearer('acted', { act }))).toMatchObject(caller);
    await expect(callerBy(bearer('demo', { act }))).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: 'The project no longer allows impersonation',
    });
    expect(await callerBy(bearer('demo'))).toMatchObject({ uid, impersonator: undefined });
  });
});

describe('the challenges of a 401', () => {
  const basic = 'Basic realm="project", charset="UTF-8"';
  const failure = new ApiError('token_expired', { reason: 'of this test' });
  const invalid = ', error="invalid_token", error_description="The token has expired"';
  test.each<[Scheme[], string | undefined, string]>([
    [['project'], undefined, basic],
    [['project'], `Basic ${good}`, basic],
    [['access'], undefined, 'Bearer realm="user"'],
    [['access'], 'Bearer x', `Bearer realm="user"${invalid}`],
    [['refresh'], 'Bearer x', `Bearer realm="user"${invalid}`],
    [['project', 'access'], undefined, `${basic}, Bearer realm="user"`],
    [['project', 'access'], 'Basic x', `${basic}, Bearer realm="user"`],
    [['project', 'access'], 'Bearer x', `${basic}, Bearer realm="user"${invalid}`],
  ])('for the schemes %j and the header %s are %s', (schemes, header, expected) => {
    expect(challenges(schemes, failure, header)).toBe(expected);
  });

  test('do not name invalid_token for an error in the body, nor where no token is accepted', () => {
    for (const code of ['invalid_credentials', 'identity_token_invalid'] as const) {
      const wrong = new ApiError(code, { reason: 'of this test' });
      expect(challenges(['access'], wrong, 'Bearer x')).toBe('Bearer realm="user"');
      expect(challenges([], wrong, undefined)).toBe('Bearer realm="user"');
    }
    expect(challenges([], failure, 'Bearer x')).toBe('Bearer realm="user"');
  });

  test('are Basic for an OAuth client that used Basic, and not for other failures', () => {
    const wrong = new ApiError('invalid_client', { reason: 'of this test' });
    const ofClient = 'Basic realm="client", charset="UTF-8"';
    for (const used of ['Basic x', 'basic x', 'BASIC x', 'Basic'])
      expect(challenges([], wrong, used)).toBe(ofClient);
    for (const used of [undefined, 'Bearer x', 'Basics', 'x basic '])
      expect(challenges([], wrong, used)).not.toContain('Basic');
    const other = new ApiError('unauthenticated', { reason: 'of this test' });
    expect(challenges([], other, 'Basic x')).not.toContain('Basic');
  });
});

describe('the session of a token', () => {
  const end = 1_800_000_000;
  const session = { idle_expires_at: end, expires_at: end } as SessionItem;
  const at = (seconds: number) => new Date(seconds * 1_000);

  test('is live until the second in which it expires, by idle time or absolutely', () => {
    expect(isLiveSession(session, at(end - 1))).toBe(true);
    expect(isLiveSession({ ...session, expires_at: end + 9 }, at(end))).toBe(false);
    expect(isLiveSession({ ...session, idle_expires_at: end + 9 }, at(end))).toBe(false);
  });

  test('that does not exist is reported as ended', async () => {
    const of = { project_id: 'p', uid: 'nobody', session_id: 'none' };
    await expect(request(() => requireLiveSession(of, at(end)))).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: 'The session has ended',
    });
  });
});
