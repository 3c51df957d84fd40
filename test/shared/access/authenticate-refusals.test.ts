/**
 * @module-tag engine
 * @module-tag alone
 */
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { signAccessToken } from '#shared/access/access-token.ts';
import { authenticate, challenges } from '#shared/access/authenticate.ts';
import { newProjectSecret } from '#shared/access/project-secret.ts';
import { keys } from '#shared/db/keys.ts';
import { ApiError } from '#shared/model/errors.ts';
import { sha256 } from '#shared/model/ids.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

/**
 * Reasons for rejected authentication, which are in the log but not in the response; secrets limited to a network, and
 * impersonation.
 */

const faults = await openFaultyTable();
const [secret, limited] = [newProjectSecret(), newProjectSecret()];
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';

beforeAll(async () => {
  vi.stubEnv('BASE_URL', 'https://id.example.com');
  const { n, e } = publicKey.export({ format: 'jwk' });
  const secrets = [
    { secret_id: 'x', sha256: sha256(secret) },
    { secret_id: 'y', sha256: sha256(limited), source_cidrs: ['203.0.113.0/24'] },
  ];
  await faults.seed([
    { ...keys.project('demo'), project_id: 'demo', secrets },
    { ...keys.project('open'), project_id: 'open', secrets, impersonation: 'on' },
    { ...keys.publicKey('k'), kid: 'k', n, e },
  ]);
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
function tokenOf(aud: string, more: object = {}): string {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ sub: uid, aud, sid: '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11', jti: 'j' },
    ...{ iat, exp: iat + 600, email: '', email_verified: false, ...more },
  };
  const signed = { iss: 'https://id.example.com', ...claims };
  return `Bearer ${signAccessToken(signed, { kid: 'k', privateKey })}`;
}
const by = (header: string | undefined, address?: string) =>
  request(({ now }) => authenticate(['project', 'access'], header, now, address));
const refusal = (header: string | undefined, address?: string) =>
  by(header, address).then(
    () => 'let in',
    ({ code, reason }: ApiError) => [code, reason],
  );

// Titles are the same in each run: by them a mutant's tests are found.
test.each([
  ['no header', undefined, 'no credential of an accepted scheme'],
  ['only a scheme', 'Bearer', 'no credential of an accepted scheme'],
  ['another scheme', 'Digest x', 'not a scheme of this endpoint'],
  ['a Basic credential without a colon', basic('demo'), 'no project secret'],
  ['a text that is not a secret', basic('demo:x'), 'no project secret'],
  ['an unknown project', basic(`nobodys:${secret}`), 'no such project, or not a secret of it'],
  ['a wrong secret', basic(`demo:${newProjectSecret()}`), 'no such project, or not a secret of it'],
  [
    'a secret from outside its network',
    basic(`demo:${limited}`),
    'the secret does not work from this address',
  ],
])('%s is refused, with its reason in the log', async (_, header, reason) => {
  expect(await refusal(header, '198.51.100.1')).toEqual(['unauthenticated', reason]);
});

test('a secret of one network works only from there; another works from everywhere', async () => {
  expect(await by(basic(`demo:${limited}`), '203.0.113.7')).toMatchObject({ secret_id: 'y' });
  for (const address of ['203.0.114.7', '', undefined])
    expect(await refusal(basic(`demo:${limited}`), address)).toEqual([
      ...['unauthenticated', 'the secret does not work from this address'],
    ]);
  expect(await by(basic(`demo:${secret}`), '198.51.100.1')).toMatchObject({ secret_id: 'x' });
  expect(await by(basic(`demo:${secret}`))).toMatchObject({ secret_id: 'x' });
});

describe('a token', () => {
  test('of a project that does not exist is refused', async () => {
    expect(await refusal(tokenOf('nobodys'))).toEqual(['unauthenticated', 'the project is gone']);
  });

  test('of an actor works only while the project allows impersonation', async () => {
    const act = { sub: 'support' };
    const caller = { kind: 'person', uid, impersonator: 'support' };
    expect(await by(tokenOf('open', { act }))).toMatchObject(caller);
    await expect(by(tokenOf('demo', { act }))).rejects.toMatchObject({
      code: 'unauthenticated',
      detail: 'The project no longer allows impersonation',
    });
    expect(await by(tokenOf('demo'))).toMatchObject({ uid, impersonator: undefined });
  });
});

test('an OAuth client that used Basic gets a Basic challenge; other failures do not', () => {
  const wrong = new ApiError('invalid_client', { reason: 'of this test' });
  const ofClient = 'Basic realm="client", charset="UTF-8"';
  for (const used of ['Basic x', 'basic x', 'BASIC x'])
    expect(challenges([], wrong, used)).toBe(ofClient);
  for (const used of [undefined, 'Bearer x', 'Basic', 'x basic '])
    expect(challenges([], wrong, used)).not.toContain('Basic');
  const other = new ApiError('unauthenticated', { reason: 'of this test' });
  expect(challenges([], other, 'Basic x')).not.toContain('Basic');
});
