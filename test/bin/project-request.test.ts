import { describe, expect, test } from 'vitest';
import { readCommand } from '../../bin/project-request.ts';

test('each setting has its flag, and an empty one unsets it', async () => {
  const flags = {
    '--name': 'A',
    '--invitation-base-url': 'https://a.example/join',
    '--create-users-on-get': 'false',
    '--password-sign-in': 'true',
    '--code-sign-in': 'false',
    '--sign-up': 'true',
    '--min-password-length': '12',
    '--identity-providers': '{"google":{"client_ids":["ID"]}}',
    '--mail-sender': 'a@a.example.com',
    '--mail-sender-name': 'A',
    '--mail-links': '{"sign_up":"https://a.example/up"}',
  };
  const settings = {
    name: 'A',
    invitation_base_url: 'https://a.example/join',
    create_users_on_get: false,
    password_sign_in: true,
    code_sign_in: false,
    sign_up: true,
    min_password_length: 12,
    identity_providers: {
      google: {
        issuer: 'https://accounts.google.com',
        jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
        client_ids: ['ID'],
      },
    },
    mail_sender: 'a@a.example.com',
    mail_sender_name: 'A',
    mail_links: { sign_up: 'https://a.example/up' },
  };
  const given = Object.entries(flags).flat();
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
  const clearable = Object.keys(flags).slice(6);
  expect(await readCommand([...update, ...clearable.flatMap((flag) => [flag, ''])])).toEqual({
    request: {
      action: 'update',
      project_id: 'a',
      min_password_length: null,
      identity_providers: null,
      mail_sender: null,
      mail_sender_name: null,
      mail_links: null,
    },
    target,
  });
});

describe('a wrong command line is answered in its own words', () => {
  const keepWords = '--keep must be a whole number from 0 to 9.';
  const minWords = '--min-password-length must be a whole number from 8 to 64.';
  const setting = (...flags: string[]) => ['update', '--project', 'a', ...flags];
  const idWords = 'must be 1 to 63 lower-case letters, digits and hyphens.';
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
    [['rotate-key', '--project', 'a', '--keep', ''], keepWords],
    [['rotate-key', '--project', 'a', '--keep', '10'], keepWords],
    [['rotate-key', '--project', 'a', '--keep=-1'], keepWords],
    [['update', '--project', 'a'], 'Nothing to update: pass --name or a setting.'],
    [
      ['update', '--project', 'a', '--create-users-on-get', 'yes'],
      '--create-users-on-get must be true or false.',
    ],
    [
      ['update', '--project', 'a', '--invitation-base-url', 'http://a.example'],
      '--invitation-base-url must be an https URL, or http on this machine.',
    ],
    [['list', '--name', 'A'], '--name is not allowed with list.'],
    [['list', '--local', '--stack', 'prod'], /^Pass either --local .* or --stack .*, not both/],
    [
      ['delete'],
      'Pass an action: create, list, update, rotate-key, create-secret, list-secrets or revoke-secret.',
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
    [['list', '--sign-up', 'true'], '--sign-up is not allowed with list.'],
    [setting('--sign-up', 'on'), '--sign-up must be true or false.'],
    [setting('--min-password-length', '7'), minWords],
    [setting('--min-password-length', 'ten'), minWords],
    [
      setting('--mail-sender', 'nobody'),
      '--mail-sender must be an e-mail address under a registrable domain.',
    ],
    [['create', '--name', 'A', '--mail-sender-name', ''], '--mail-sender-name must not be empty.'],
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
        '--identity-providers: idpw must have a name of 1 to 32 of a-z, 0-9, _ and -, starting with a letter, and not idpw, email_code, project.',
      ].join('\n'),
    ],
  ])('%j', async (args, sentence) => {
    await expect(readCommand(args)).rejects.toThrow(sentence);
  });
});
