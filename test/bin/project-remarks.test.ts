import { expect, test } from 'vitest';
import { remarks } from '../../bin/project/remarks.ts';

const target = { stack: 's' };
const ofClient = { project_id: 'acme', client: 'web' };
const late = 'Running instances see the change within 60 s.';

test('hosted pages are the target of every link that is not set; a change of their domain is announced', () => {
  const settings = { password_sign_in: true, sign_up: true, hosted_pages: true };
  const create = { action: 'create' as const, name: 'Acme', ...settings };
  expect(remarks(create, target, { ...settings, secret: 's' })).toEqual([
    'The secret is shown only once. The Basic credential is project_id:secret.',
  ]);
  const { hosted_pages: _, ...without } = settings;
  expect(
    remarks({ ...create, hosted_pages: false }, target, { ...without, secret: 's' }),
  ).toHaveLength(6);
  const update = { action: 'update' as const, project_id: 'acme', hosted_pages: true };
  expect(remarks(update, target, settings)).toEqual([late]);
  const anew =
    'People sign in to the hosted pages anew, by the same passkeys only at or below a host that is set as rp_id. Sessions of applications go on.';
  expect(remarks({ ...update, pages_domain: 'auth.example.com' }, target, settings)).toEqual([
    'Links lead to auth.example.com from now on: it needs a certificate and a DNS record.',
    anew,
    late,
  ]);
  expect(remarks({ ...update, pages_domain: null }, target, settings)).toEqual([anew, late]);
});

test('an update of rp_id warns that passkeys of other domains stop working', () => {
  const update = { action: 'update' as const, project_id: 'acme', origins: null };
  expect(remarks({ ...update, rp_id: 'example.com' }, target, {})).toEqual([
    'Passkeys of another domain than example.com sign in nobody until it is set as rp_id again.',
    late,
  ]);
  expect(remarks({ ...update, rp_id: null }, target, {})).toEqual([
    'Passkeys of another domain than the host of the hosted pages sign in nobody until it is set as rp_id again.',
    late,
  ]);
});

test('a captcha and providers by redirect name the commands that set their secrets', () => {
  const captcha = {
    ...{ provider: 'turnstile' as const, site_key: 'KEY', rule: 'always' as const },
    hostnames: ['www.example.com'],
  };
  const settings = {
    captcha,
    sign_in_providers: { github: { preset: 'github' as const, client_id: 'ID' } },
  };
  const commands = [/npm run project:captcha-secret\.$/, /npm run project:provider-secret\.$/];
  const update = { action: 'update' as const, project_id: 'acme' };
  const matching = commands.map((each) => expect.stringMatching(each));
  expect(remarks({ ...update, ...settings }, target, {})).toEqual([...matching, late]);
  const create = { action: 'create' as const, name: 'Acme', hosted_pages: true, ...settings };
  expect(remarks(create, target, {})).toEqual([expect.any(String), ...matching]);
  const off = { captcha: null, sign_in_providers: null };
  expect(remarks({ ...update, ...off }, target, {})).toEqual([late]);
});

test('the remarks on a limited secret name its limits', () => {
  const create = { action: 'create-secret' as const, project_id: 'acme' };
  const limits = { expires_in: 60, scopes: ['users:read' as const], source_cidrs: ['::/0'] };
  expect(remarks({ ...create, ...limits }, { folder: '.' }, {})).toEqual([
    'The secret is shown only once. The Basic credential is project_id:secret.',
    'It expires in 60 s.',
    'It has the scopes users:read.',
    'It works from ::/0 alone.',
  ]);
  const update = { ...create, action: 'update-secret' as const, secret_id: '0a1b2c3d' };
  expect(remarks({ ...update, scopes: null }, target, {})).toEqual([late]);
});

test('remarks on a client: its secret, when a change applies, and what happens to its sessions', () => {
  const create = {
    action: 'create-client' as const,
    ...ofClient,
    client_name: 'Web',
    redirect_uris: ['https://a.example'],
  };
  expect(remarks(create, target, {})).toEqual(['The client is public: it has no secret.', late]);
  const shown =
    'The secret is shown only once. The client authenticates with client_id and secret.';
  expect(remarks(create, target, { secret: 's' })).toEqual([shown]);
  expect(remarks({ action: 'create-client-secret', ...ofClient }, target, { secret: 's' })).toEqual(
    [shown],
  );
  expect(remarks({ action: 'update-client', ...ofClient }, target, {})).toEqual([late]);
  const secret_id = '0a1b2c3d';
  expect(remarks({ action: 'revoke-client-secret', ...ofClient, secret_id }, target, {})).toEqual([
    `The secret ${secret_id} stops working within 60 s.`,
  ]);
  expect(remarks({ action: 'delete-client', ...ofClient }, target, {})).toEqual([
    'Within 60 s nobody signs in with acme.web any more, and none of its sessions is renewed.',
    'An access token that it has works for up to 10 minutes more.',
  ]);
});
