import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fields } from '../../bin/project/fields.ts';
import { readCommand } from '../../bin/project/request.ts';
import { usage } from '../../bin/project/usage.ts';
import { newFolder } from '../support/folder.ts';

test('refuses a project id that is part of a path of the service', async () => {
  const create = ['create', '--name', 'A', '--stack', 's', '--project'];
  await expect(readCommand([...create, 'assets'])).rejects.toThrow(
    '--project must not be assets, which is a part of a path of the service.',
  );
  expect((await readCommand([...create, 'assets-2']))?.request).toMatchObject({
    project_id: 'assets-2',
  });
});

test('each setting has a flag, and an empty value unsets it', async () => {
  const home = 'https://a.example';
  const google = {
    issuer: 'https://accounts.google.com',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    client_ids: ['ID'],
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  };
  const kept: [field: string, text: string, value: unknown][] = [
    ['name', 'A', 'A'],
    ['create_users_on_get', 'false', false],
    ['password_sign_in', 'true', true],
    ['code_sign_in', 'false', false],
    ['sign_up', 'true', true],
    ['hosted_pages', 'true', true],
  ];
  const clearable: typeof kept = [
    ['invitation_base_url', `${home}/join`, `${home}/join`],
    ['min_password_length', '12', 12],
    ['api_key_rate_limit', '600', 600],
    ['identity_providers', '{"google":{"client_ids":["ID"]}}', { google }],
    ['mail_sender', 'a@a.example.com', 'a@a.example.com'],
    ['mail_sender_name', 'A', 'A'],
    ['mail_links', `{"sign_up":"${home}/up"}`, { sign_up: `${home}/up` }],
    ['branding', `{"links":{"home":"${home}"}}`, { links: { home } }],
  ];
  const all = [...kept, ...clearable];
  const flagOf = (field: string) => `--${field.replaceAll('_', '-')}`;
  const given = all.flatMap(([field, text]) => [flagOf(field), text]);
  const settings = Object.fromEntries(all.map(([field, , value]) => [field, value]));
  const target = { stack: 's' };
  expect(await readCommand(['create', ...given, '--stack', 's'])).toEqual({
    request: { action: 'create', ...settings },
    target,
  });
  const update = ['update', '--project', 'a', '--stack', 's'];
  expect(await readCommand([...update, ...given])).toEqual({
    request: { action: 'update', project_id: 'a', ...settings },
    target,
  });
  const unset = clearable.flatMap(([field]) => [flagOf(field), '']);
  const nothing = Object.fromEntries(clearable.map(([field]) => [field, null]));
  expect(await readCommand([...update, ...unset])).toEqual({
    request: { action: 'update', project_id: 'a', ...nothing },
    target,
  });
});

test.each(Object.values(fields))('the usage documents --$flag', ({ flag, clears }) => {
  expect(usage).toMatch(new RegExp(`^ .*--${flag}\\b(?!-)`, 'm'));
  const [first = '', last = ''] = /unset one from (--\S+) to (--\S+),/.exec(usage)?.slice(1) ?? [];
  const range = usage.slice(usage.indexOf(`\n  ${first} `), usage.indexOf(`\n  ${last} `) + 20);
  const ofSecrets = ['scopes', 'source-cidrs'];
  if (!ofSecrets.includes(flag)) expect(range.includes(`\n  --${flag} `)).toBe(clears ?? false);
});

test('--scopes and --source-cidrs take lists, and an empty value removes the limit', async () => {
  const secret = ['--project', 'a', '--stack', 's'];
  const limits = ['--scopes', 'users:read, events:read', '--source-cidrs', '203.0.113.0/24'];
  const scopes = ['users:read', 'events:read'];
  const target = { stack: 's' };
  expect(await readCommand(['create-secret', ...secret, ...limits])).toEqual({
    request: {
      action: 'create-secret',
      project_id: 'a',
      scopes,
      source_cidrs: ['203.0.113.0/24'],
    },
    target,
  });
  const update = ['update-secret', ...secret, '--secret-id', '0a1b2c3d'];
  expect(await readCommand([...update, '--scopes', '', '--source-cidrs', '2001:db8::/32'])).toEqual(
    {
      request: {
        ...{ action: 'update-secret', project_id: 'a', secret_id: '0a1b2c3d' },
        ...{ scopes: null, source_cidrs: ['2001:db8::/32'] },
      },
      target,
    },
  );
});

describe('refuses a wrong command line, naming the flag', () => {
  const keepWords = '--keep must be a whole number from 0 to 9.';
  const minWords = '--min-password-length must be a whole number from 8 to 64.';
  const setting = (...flags: string[]) => ['update', '--project', 'a', ...flags];
  const idWords = 'must be 1 to 63 lower-case letters, digits and hyphens.';
  const client = (action: string, ...flags: string[]) => [
    action,
    ...['--project', 'a', '--client', 'web'],
    ...flags,
  ];
  const uriWords =
    'must be an https URL, http on this machine, or of a private-use scheme with a dot such as com.example.app:/callback, without # and *.';
  test.each([
    [['create'], '--name is required.'],
    [['create', '--name', ''], '--name must not be empty.'],
    [['create', '--name', 'x'.repeat(129)], '--name must have at most 128 characters.'],
    [['create', '--name', 'a\nb'], '--name must not contain control characters.'],
    [['create', '--name', 'A', '--project', 'A b'], `--project ${idWords}`],
    [['create', '--project', 'A b'], `--project ${idWords}\n--name is required.`],
    [['create', '--name', 'A', '--keep', '1'], '--keep is not allowed with create.'],
    [['create', 'Acme'], "Unexpected argument 'Acme'."],
    [['create', '--nam', 'A'], "Unknown option '--nam'."],
    [['rotate-key'], '--project is required.'],
    [['rotate-key', '--project', 'a', '--keep', 'abc'], keepWords],
    [['rotate-key', '--project', 'a', '--keep', '10'], keepWords],
    [['update', '--project', 'a'], 'Nothing to update: pass --name or a setting.'],
    [
      ['update', '--project', 'a', '--create-users-on-get', 'yes'],
      '--create-users-on-get must be true or false.',
    ],
    [
      setting('--invitation-base-url', 'https://a.example/#/join'),
      '--invitation-base-url must not contain #: the token is added as the fragment.',
    ],
    [['list', '--name', 'A'], '--name is not allowed with list.'],
    [['list', '--local', '--stack', 'prod'], /^Pass either --local .* or --stack .*, not both/],
    [
      ['delete'],
      'Pass an action: create, list, update, rotate-key, create-secret, update-secret, list-secrets, revoke-secret, create-client, update-client, delete-client, create-client-secret or revoke-client-secret.',
    ],
    [['list', '--data', 'd'], 'Pass --data only together with --local.'],
    [['list'], 'Pass --stack NAME or --local.'],
    [['revoke-secret', '--project', 'a'], '--secret-id is required.'],
    [
      ['revoke-secret', '--project', 'a', '--secret-id', 'wsk_x'],
      '--secret-id must be 8 hexadecimal digits, as shown by list-secrets.',
    ],
    [
      ['create-secret', '--project', 'a', '--keep', '1'],
      '--keep is not allowed with create-secret.',
    ],
    [
      ['create-secret', '--project', 'a', '--scopes', 'users:read,users:sing'],
      /^--scopes: 1 must be one of sessions:read, .*, \*:read\.$/m,
    ],
    [
      ['create-secret', '--project', 'a', '--source-cidrs', '203.0.113.7'],
      '--source-cidrs: 0 must be a block of addresses such as 203.0.113.0/24 or 2001:db8::/32.',
    ],
    [
      ['create-secret', '--project', 'a', '--source-cidrs', Array(21).fill('::/0').join(',')],
      '--source-cidrs must have at most 20 elements.',
    ],
    [
      ['update-secret', '--project', 'a', '--secret-id', '0a1b2c3d'],
      'Nothing to update: pass --name, --scopes or --source-cidrs.',
    ],
    [['update-secret', '--project', 'a', '--name', 'b'], '--secret-id is required.'],
    [['list', '--sign-up', 'true'], '--sign-up is not allowed with list.'],
    [setting('--min-password-length', '7'), minWords],
    [
      setting('--api-key-rate-limit', '0'),
      '--api-key-rate-limit must be a whole number from 1 to 60000.',
    ],
    [
      setting('--mail-sender', 'nobody'),
      '--mail-sender must be an e-mail address under a registrable domain.',
    ],
    [
      setting('--mail-links', 'https://a.example'),
      '--mail-links must be JSON such as {"reset_password":"https://app.example.com/reset"}.',
    ],
    [setting('--mail-links', '{"up":"https://a.example"}'), '--mail-links must not contain up.'],
    [
      setting('--mail-links', '{"sign_up":"http://a.example"}'),
      '--mail-links: sign_up must be an https URL, or http on this machine.',
    ],
    [
      setting('--identity-providers', '{"google":'),
      '--identity-providers must be JSON such as {"google":{"client_ids":["ID"]}}.',
    ],
    [
      setting('--identity-providers', '{"google":{"client_ids":"ID"}}'),
      '--identity-providers: google.client_ids must be an array.',
    ],
    [
      setting('--identity-providers', '{"other":{"client_ids":[]},"idpw":1}'),
      [
        '--identity-providers: other.issuer is required.',
        '--identity-providers: other.jwks_uri is required.',
        '--identity-providers: other.client_ids must not be empty.',
        '--identity-providers: idpw must have a name of 1 to 32 of a-z, 0-9, _ and -, starting with a letter, and not idpw, email_code, email_link, passkey, project, totp, recovery_code.',
      ].join('\n'),
    ],
    [setting('--mfa', 'always'), '--mfa must be one of off, optional, required.'],
    [
      setting('--workspace-creation', 'all', '--token-algorithm', 'HS256'),
      '--workspace-creation must be one of backend, verified, anyone.\n--token-algorithm must be one of RS256, ES256.',
    ],
    [setting('--rp-id', ''), '--origins must be unset together with rp_id.'],
    [setting('--captcha', '{"provider":"x"}'), '--captcha: provider must be one of turnstile, '],
    [setting('--captcha', '{"failures":10}'), '--captcha: failures must be at most 9.'],
    [setting('--captcha', '{"failures":0}'), '--captcha: failures must be at least 1.'],
    [setting('--captcha', '{"failures":1.5}'), '--captcha: failures must be a whole number.'],
    [
      setting('--return-urls', 'https://app.example.com/'),
      /^--return-urls must be JSON such as \["https:\/\/app.example.com\/signed-in"\]\.$/,
    ],
    [
      setting('--sign-in-providers', '{"github":{"preset":"x"}}'),
      '--sign-in-providers: github.preset must be one of ',
    ],
    [
      setting('--branding', '{"color":"blue","links":{"home":"javascript:alert(1)"},"font":"x"}'),
      [
        '--branding: color must be a color such as #0055ff.',
        '--branding: links.home must be an https URL, or http on this machine.',
        '--branding must not contain font.',
      ].join('\n'),
    ],
    [setting('--client', 'web'), '--client is not allowed with update.'],
    [['create-client', '--project', 'a'], '--client is required.'],
    [
      client(
        'create-client',
        '--redirect-uris',
        '["https://a.example/*","x"]',
        '--confidential',
        '1',
      ),
      [
        '--client-name is required.',
        `--redirect-uris: 0 ${uriWords}`,
        `--redirect-uris: 1 ${uriWords}`,
        '--confidential must be true or false.',
      ].join('\n'),
    ],
    [
      client('update-client', '--redirect-uris', 'https://a.example/'),
      '--redirect-uris must be JSON such as ["https://app.example.com/callback"].',
    ],
    [
      client('update-client', '--confidential', 'true'),
      '--confidential is not allowed with update-client.',
    ],
    [
      client('update-client'),
      'Nothing to update: pass --client-name, --redirect-uris or --post-logout-redirect-uris.',
    ],
    [client('delete-client', '--secret-id', 'x'), '--secret-id is not allowed with delete-client.'],
    [
      ['delete-client', '--project', 'a', '--client', 'a.web'],
      '--client must be 1 to 32 lower-case letters, digits and hyphens: the client_id without the project.',
    ],
    [setting('--logo', 'logo.svg'), 'Pass --logo together with --branding, which it is a part of.'],
    [
      setting('--logo', 'logo.svg', '--branding', ''),
      'Pass --logo together with --branding, which it is a part of.',
    ],
    [
      ['create', '--name', 'A', '--logo', 'none.svg'],
      '--logo cannot be read: ENOENT: no such file or directory',
    ],
  ])('%j', async (args, sentence) => {
    await expect(readCommand(args)).rejects.toThrow(sentence);
  });
});

test('the flags of a client set its fields', async () => {
  const named = ['--project', 'a', '--client', 'web', '--client-name', 'Web app'];
  const lists = [
    ...['--redirect-uris', '["https://a.example/callback"]'],
    ...['--post-logout-redirect-uris', '[]'],
  ];
  const given = {
    project_id: 'a',
    client: 'web',
    client_name: 'Web app',
    redirect_uris: ['https://a.example/callback'],
    post_logout_redirect_uris: [],
  };
  const requestOf = async (...args: string[]) =>
    (await readCommand([...args, '--stack', 's']))?.request;
  expect(await requestOf('create-client', ...named, ...lists, '--confidential', 'true')).toEqual({
    action: 'create-client',
    ...given,
    confidential: true,
  });
  expect(await requestOf('update-client', ...named, ...lists)).toEqual({
    action: 'update-client',
    ...given,
  });
});

describe('--logo', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const folder = newFolder();
  const read = async (content: string, ...flags: string[]) => {
    const file = join(folder, 'logo');
    writeFileSync(file, content);
    const command = await readCommand([...flags, '--logo', file, '--stack', 's']);
    return (command?.request as { branding?: unknown } | undefined)?.branding;
  };
  const create = ['create', '--name', 'A'];
  const logo = `data:image/svg+xml;base64,${btoa(svg)}`;

  test('becomes the logo of the branding, as a data: URL', async () => {
    expect(await read(svg, ...create)).toEqual({ logo });
    const update = ['update', '--project', 'a', '--branding', '{"color":"#0055ff"}'];
    expect(await read(svg, ...update)).toEqual({ color: '#0055ff', logo });
  });

  test('must be an image by its content, and not too large', async () => {
    const wrong = '--logo must be an SVG, PNG or WebP image.';
    await expect(read('<html><svg></svg></html>', ...create)).rejects.toThrow(wrong);
    const padded = (length: number) => svg.padEnd(length, ' ');
    expect(await read(padded(6_123), ...create)).toEqual({ logo: expect.any(String) });
    await expect(read(padded(6_124), ...create)).rejects.toThrow(
      '--logo has 6124 bytes; at most 6123 fit.',
    );
  });

  test('is refused together with an invalid branding, and for actions without branding', async () => {
    const other = ['--branding', 'blue'];
    await expect(read(svg, ...create, ...other)).rejects.toThrow('--branding must be JSON such as');
    await expect(read(svg, 'list')).rejects.toThrow('--branding is not allowed with list.');
  });
});
