import { describe, expect, test } from 'vitest';
import {
  hasAccountsOf,
  issuerOf,
  ownerOfHost,
  presetNames,
  presets,
} from '#shared/model/provider-presets.ts';
import { readOperatorRequest } from '#shared/operator/request.ts';

const read = async (sign_in_providers: unknown, more: object = {}) =>
  readOperatorRequest({ action: 'update', project_id: 'demo', sign_in_providers, ...more });
const issuer = 'https://id.example.com';
const client_id = 'ID';
const apple = { client_id, team_id: 'TEAM123456', key_id: 'KEY1234567' };

describe('a provider', () => {
  test('has the preset of its name, or is any OpenID provider', async () => {
    expect(await read({ google: { client_id }, apple, okta: { client_id, issuer } })).toMatchObject(
      {
        sign_in_providers: {
          google: { preset: 'google', client_id },
          apple: { preset: 'apple' },
          okta: { preset: 'oidc', issuer },
        },
      },
    );
  });

  test('can be a second one of a preset, under its own name', async () => {
    const github2 = { preset: 'github', client_id, issuer: 'https://github.acme.example' };
    await expect(read({ github2 })).resolves.toBeDefined();
  });

  test.each([
    [
      'another preset than its name',
      { google: { preset: 'oidc', client_id, issuer } },
      'google.preset',
    ],
    ['no issuer', { okta: { client_id } }, 'okta.issuer'],
    [
      'an issuer for a preset with a fixed one',
      { discord: { client_id, issuer } },
      'discord.issuer',
    ],
    ['no client id', { google: {} }, 'google.client_id'],
    ['plain http', { okta: { client_id, issuer: 'http://id.example.com' } }, 'okta.issuer'],
    ['a query', { okta: { client_id, issuer: `${issuer}?a` } }, 'okta.issuer'],
    ['no team', { apple: { client_id, key_id: 'KEY1234567' } }, 'apple.team_id'],
    ['a team of another', { google: { client_id, team_id: 'TEAM123456' } }, 'google.team_id'],
    ['a tenant of another', { google: { client_id, tenant: 'common' } }, 'google.tenant'],
    ['a malformed tenant', { microsoft: { client_id, tenant: '../x' } }, 'microsoft.tenant'],
    [
      'an unsupported authentication method',
      { okta: { client_id, issuer, token_endpoint_auth_method: 'private_key_jwt' } },
      'okta.token_endpoint_auth_method: Must be client_secret_post or client_secret_basic',
    ],
    ['a scope with a space', { okta: { client_id, issuer, scopes: ['a b'] } }, 'okta.scopes.0'],
    ['an unknown setting', { okta: { client_id, issuer, client_secret: 'x' } }, 'okta'],
    ['the name of one of our methods', { passkey: { client_id, issuer } }, 'passkey'],
  ])('is refused with %s', async (_, given, message) => {
    await expect(read(given)).rejects.toThrow(message);
  });

  test('is one of at most 20', async () => {
    const some = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { client_id, issuer }]));
    await expect(read(some(20))).resolves.toBeDefined();
    await expect(read(some(21))).rejects.toThrow('at most 20');
  });
});

describe('the issuer of a preset is refused under another name:', () => {
  test.each([
    'https://accounts.google.com',
    'https://accounts.google.com/',
    'https://ACCOUNTS.google.com',
    'https://accounts.google.com.',
    'https://accounts.google.com:443',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.us/x/v2.0',
    'https://sts.windows.net/11111111-2222-3333-4444-555555555555/',
    'https://appleid.apple.com',
    'https://github.com',
    'https://gitlab.com',
    'https://www.linkedin.com/oauth',
    'https://discord.com',
    'https://slack.com',
    'https://www.facebook.com',
    'https://limited.facebook.com',
  ])('%s', async (known) => {
    await expect(read({ evil: { client_id, issuer: known } })).rejects.toThrow('evil.issuer');
    const owner = ownerOfHost(known, 'oidc') ?? '';
    const others = (['github', 'gitlab'] as const).filter((each) => each !== owner);
    for (const preset of others)
      await expect(read({ [preset]: { client_id, issuer: known } })).rejects.toThrow(
        `${preset}.issuer`,
      );
  });

  test('but a host that only looks similar is accepted', async () => {
    for (const other of ['https://accounts.google.com.example.com', 'https://notgithub.com'])
      await expect(read({ okta: { client_id, issuer: other } })).resolves.toBeDefined();
  });

  test('and each preset has the host of its issuer', () => {
    for (const name of presetNames.filter((each) => each !== 'oidc')) {
      const { issuer: known = '' } = presets[name] as { issuer?: string };
      expect(ownerOfHost(known, 'oidc')).toBe(name);
      expect(ownerOfHost(known, name)).toBeUndefined();
    }
  });
});

test("the issuer of accounts is that of the preset, or of Microsoft's tenant", () => {
  const tenant = '11111111-2222-3333-4444-555555555555';
  const base = 'https://login.microsoftonline.com';
  expect(issuerOf({ preset: 'google' })).toBe('https://accounts.google.com');
  expect(issuerOf({ preset: 'oidc', issuer })).toBe(issuer);
  expect(issuerOf({ preset: 'microsoft', tenant })).toBe(`${base}/${tenant}/v2.0`);
  expect(issuerOf({ preset: 'microsoft', tenant: 'consumers' })).toBe(
    `${base}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`,
  );
  for (const many of ['common', 'organizations'])
    expect(issuerOf({ preset: 'microsoft', tenant: many })).toBeUndefined();
});

test('a provider has the accounts of its issuer, or of the tenants that its setting allows', () => {
  const of = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`;
  const work = of('11111111-2222-3333-4444-555555555555');
  const personal = of('9188040d-6c67-4c5b-b112-36a304b66dad');
  const admitted = (tenant?: string) =>
    [work, personal, issuer].map((each) =>
      hasAccountsOf({ preset: 'microsoft', ...(tenant !== undefined && { tenant }) }, each),
    );
  expect(admitted()).toEqual([true, true, false]);
  expect(admitted('common')).toEqual([true, true, false]);
  expect(admitted('organizations')).toEqual([true, false, false]);
  expect(admitted('consumers')).toEqual([false, true, false]);
  expect(hasAccountsOf({ preset: 'oidc', issuer }, issuer)).toBe(true);
  expect(hasAccountsOf({ preset: 'oidc', issuer: `${issuer}/new` }, issuer)).toBe(false);
});

test.each([
  ['https://app.example.com/*'],
  ['https://app.example.com/#a'],
  ['http://app.example.com/'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['app:/x'],
])('%s is not a return URL', async (url) => {
  await expect(read(null, { return_urls: [url] })).rejects.toThrow('return_urls.0');
});
