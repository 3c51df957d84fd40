import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../bin/doctor.ts';
import { newFolder } from '../support/folder.ts';
import { ownXpub as xpub } from '../support/own-xpub.ts';
import { startWorld } from '../support/world.ts';
import { type Account, healthy, startAws } from './doctor/aws.ts';
import { accountAt, call, run } from './run.ts';

let account: Account;
const world = await startWorld({});
const endpoint = await startAws(() => account);
const folder = newFolder();
beforeEach(() => {
  account = healthy();
  account.variables = { WALLET_XPUB: xpub };
  account.operate = (request) => world.operate(request);
  if (account.stack) account.stack.outputs['BaseUrl'] = world.url;
});

const doctor = (settings: object, ...args: string[]) => {
  writeFileSync(join(folder, 'dev.json'), JSON.stringify(settings));
  return run(['bin/doctor.ts', ...args], {
    env: { CONFIG_DIR: folder, ...accountAt(endpoint) },
  });
};
const settings = { deletionProtection: false, walletXpub: xpub };
const stack = ['--stack', 'identity-workspace-dev'];
/** The printed status and name of each check. */
const statuses = (stdout: string) =>
  [...stdout.matchAll(/^(ok|note|wrong) +(\S+(?: \S+)*) {2}/gm)].map(
    ([, status, check]) => `${status} ${check}`,
  );

test('a healthy deployment: every check passes or is a note, and the exit code is 0', async () => {
  const { stdout, stderr, code } = await doctor(settings, ...stack);
  const links = `links of ${world.project.project_id}`;
  expect({ stderr, checks: statuses(stdout) }).toEqual({
    stderr: '',
    checks: [
      'ok deployment',
      'ok protection',
      'ok concurrency',
      'ok signing key',
      'ok event sources',
      'note alarms',
      'ok wallets',
      'ok route settings',
      // The tests' project sets neither.
      'wrong sender',
      `wrong ${links}`,
      'ok round trip',
    ],
  });
  expect(code).toBe(1);
  await world.operate({
    action: 'update',
    project_id: world.project.project_id,
    invitation_base_url: 'https://acme.example/join',
    mail_sender: 'no-reply@acme.example',
    password_sign_in: false,
    code_sign_in: false,
    identity_providers: null,
  });
  account.ses.identities = { 'acme.example': true };
  const again = await doctor(settings, ...stack);
  expect(statuses(again.stdout).slice(8)).toEqual([
    'ok SES',
    'ok sender',
    `ok ${links}`,
    'ok round trip',
  ]);
  expect(again.stdout).toMatch(/^11 ok, 1 to note, 0 wrong$/m);
  expect(again.code).toBe(0);
});

test('--read-only creates nothing', async () => {
  const actions: string[] = [];
  account.operate = (request) => {
    actions.push(request.action);
    return { projects: [] };
  };
  const { stdout } = await doctor(settings, ...stack, '--read-only');
  expect(actions).toEqual(['list']);
  expect(statuses(stdout)).toContain('note projects');
  expect(stdout).not.toContain('round trip');
});

describe('before the first deployment', () => {
  test('checks the concurrency and the sender', async () => {
    account.stack = undefined;
    account.concurrency = { limit: 10, unreserved: 10 };
    const set = { ...settings, webhookConcurrency: 5, mailSender: 'no-reply@example.com' };
    const { stdout, code } = await doctor(set, ...stack);
    expect(statuses(stdout)).toEqual([
      'note deployment',
      'ok protection',
      'wrong concurrency',
      'ok region',
      'ok SES',
      'wrong sender',
    ]);
    expect(stdout).toContain('A new account starts with 10 and can reserve none.');
    expect(stdout).toContain('create-email-identity --email-identity example.com');
    expect(code).toBe(1);
  });

  test('a suitable account gets the next step, and exit code 0', async () => {
    account.stack = undefined;
    const { stdout, code } = await doctor(settings, ...stack);
    expect(statuses(stdout)).toEqual([
      'note deployment',
      'ok protection',
      'ok concurrency',
      'ok region',
      'note sender',
    ]);
    expect(stdout).toContain('npx cdk deploy');
    expect(code).toBe(0);
  });
});

test('a check without permission is reported as failed, and the others continue', async () => {
  account.denied = ['DescribeSecret', '/2016-08-19/account-settings'];
  const { stdout, code } = await doctor(settings, ...stack, '--read-only');
  expect(statuses(stdout)).toEqual(
    expect.arrayContaining(['wrong concurrency', 'wrong signing key', 'ok wallets']),
  );
  expect(stdout).toContain('The check failed. AccessDeniedException: Not allowed.');
  expect(code).toBe(1);
});

describe('a run that cannot start prints one message', () => {
  test.each<[string, object, string[], string]>([
    ['no stack', settings, [], 'Pass --stack identity-workspace-STAGE.\n'],
    ['another stack', settings, ['--stack', 'cdk-toolkit'], 'Pass --stack'],
    ['no file', settings, ['--stack', 'identity-workspace-x'], 'x.json: create it with'],
    ['a wrong file', {}, stack, 'dev.json is wrong:\n  "deletionProtection" must be true or false'],
    ['a wrong flag', settings, ['--stak'], "Unknown option '--stak'."],
  ])('%s', async (_, content, args, message) => {
    writeFileSync(join(folder, 'dev.json'), JSON.stringify(content));
    const { stdout, stderr, code } = await call(main, args, { env: { CONFIG_DIR: folder } });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toContain(message);
  });

  test('no region', async () => {
    writeFileSync(join(folder, 'dev.json'), JSON.stringify(settings));
    const { stderr, code } = await run(['bin/doctor.ts', ...stack], {
      env: { CONFIG_DIR: folder },
    });
    expect({ stderr, code }).toEqual({
      stderr: 'No AWS region: set AWS_REGION or a profile.\n',
      code: 1,
    });
  });
});

test('--help prints the usage', async () => {
  const { stdout, code } = await call(main, ['--help']);
  expect(stdout).toMatch(/^Usage: npm run doctor -- --stack NAME/);
  expect(code).toBe(0);
});
