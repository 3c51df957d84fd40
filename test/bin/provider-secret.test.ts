/** @module-tag alone */
import { generateKeyPairSync } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main as projectMain } from '../../bin/project.ts';
import { main } from '../../bin/provider-secret.ts';
import { providerSecretOf } from '../../shared/model/provider-secret.ts';
import { newFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { describedStack } from './described-stack.ts';
import { call, callOnAws, run } from './run.ts';
import { serveFolder } from './serve-folder.ts';

const sign_in_providers = {
  github: { preset: 'github', client_id: 'Iv1.ours' },
  okta: { preset: 'oidc', client_id: 'ID', issuer: 'https://id.example.com' },
  apple: { preset: 'apple', client_id: 'com.example', team_id: 'TEAM123456', key_id: 'KEY1234567' },
} as const;
const github = 'a-client-secret-of-github';
const set = (args: string[], input = github) => call(main, args, { input });

describe('the secret of a local project', () => {
  const folder = newFolder();
  serveFolder(folder);
  beforeAll(async () => {
    const { code, stderr } = await call(projectMain, [
      ...['create', '--project', 'acme', '--name', 'Acme', '--local'],
      ...['--data', folder, '--sign-in-providers', JSON.stringify(sign_in_providers)],
      ...['--return-urls', '["https://app.example.com/signed-in"]'],
    ]);
    if (code !== 0) throw new Error(stderr);
  });

  const of = (provider: string, ...more: string[]) => [
    ...['--project', 'acme', '--provider', provider, '--local', '--data', folder, ...more],
  ];
  const file = join(folder, 'provider-secrets.json');
  const kept = async () => JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;

  test("is stored for the provider's client and issuer, in a file for its owner only, and deleted", async () => {
    const { code, stdout, stderr } = await run(['bin/provider-secret.ts', ...of('github')], {
      input: `${github}\n`,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({ project_id: 'acme', provider: 'github', set: true });
    const { 'acme/github': stored = '' } = await kept();
    expect(providerSecretOf(sign_in_providers.github, stored)).toBe(github);
    for (const other of [
      { ...sign_in_providers.github, client_id: 'Iv1.another' },
      { ...sign_in_providers.github, issuer: 'https://github.evil.example' },
      sign_in_providers.okta,
    ])
      expect(providerSecretOf(other, stored)).toBeUndefined();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const gone = await set(of('github', '--delete'), '');
    expect(JSON.parse(gone.stdout)).toMatchObject({ deleted: true });
    expect(await kept()).toEqual({});
    const again = await set(of('github', '--delete'), '');
    expect([JSON.parse(again.stdout), again.code]).toEqual([
      { project_id: 'acme', provider: 'github', deleted: false },
      0,
    ]);
  });

  test('is not deleted if the project does not exist, and the command fails', async () => {
    expect((await set(of('github'))).code).toBe(0);
    const args = ['--project', 'acmee', '--provider', 'github', '--local', '--data', folder];
    const { stdout, stderr, code } = await set([...args, '--delete']);
    expect([stdout, stderr, code]).toEqual(['', 'The project acmee does not exist.\n', 1]);
    expect(await kept()).toHaveProperty('acme/github');
  });

  test('of apple must be its private key in PEM', async () => {
    const pem = (namedCurve: string) =>
      generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect((await set(of('apple'), String(pem('P-256')))).code).toBe(0);
    for (const wrong of [String(pem('P-384')), github, '-----BEGIN PRIVATE KEY-----']) {
      const { code, stderr } = await set(of('apple'), wrong);
      expect([code, stderr]).toEqual([
        1,
        "The secret of apple must be Apple's private key: the .p8 file.\n",
      ]);
    }
  });

  test.each([
    [
      'nothing',
      'github',
      '  \n',
      'Pass the secret on standard input, such as from a file: … < FILE',
    ],
    [
      'two lines',
      'github',
      'a\nb',
      'The secret must be one line of printable characters without spaces.',
    ],
    [
      'a secret that is too long',
      'github',
      'x'.repeat(1_025),
      'The secret must be one line of printable',
    ],
    [
      'a provider that is not set',
      'google',
      github,
      'The project acme has no sign-in provider google (it has ',
    ],
    [
      'a provider named like a property of every object',
      'constructor',
      github,
      'has no sign-in provider constructor',
    ],
  ])('is refused for %s, and not printed', async (_, provider, input, message) => {
    const { code, stdout, stderr } = await set(of(provider), input);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    if (input.trim() !== '') expect(stderr).not.toContain(input);
  });

  test.each([
    [['--provider', 'github', '--local'], 'Pass --project ID and --provider NAME.'],
    [['--project', 'acme', '--provider', 'github'], 'Pass --stack NAME or --local.'],
    [
      ['--project', 'acme', '--provider', 'github', '--local', '--stack', 's'],
      'Pass either --local (local data) or --stack',
    ],
    [
      ['--project', 'acme', '--provider', 'github', '--local', '--data', '/nowhere'],
      'There is no data folder /nowhere.',
    ],
  ])('the flags %j are refused with a reason', async (args, message) => {
    const { code, stderr } = await set(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe('the secret of a stack', () => {
  type Call = { operation: string; input: Record<string, unknown> };
  const stack = describedStack({ OperatorFunctionName: 'fn', CaptchaSecretArn: 'captcha' });

  /** What Secrets Manager says of the stack's own secrets. */
  const own = {
    KmsKeyId: 'arn:aws:kms:eu-central-1:123456789012:key/0a1b2c',
    Tags: [
      { Key: 'aws:cloudformation:stack-name', Value: 's' },
      { Key: 'owner', Value: 'platform' },
    ],
  };
  /** Runs it against an emulated AWS, in which each call to Secrets Manager succeeds or fails with an error. */
  async function onStack(errors: (string | undefined)[], ...more: string[]) {
    const calls: Call[] = [];
    const aws = await serve(async (request, response) => {
      const body = await text(request);
      const target = String(request.headers['x-amz-target'] ?? '');
      if (target.startsWith('secretsmanager.')) {
        calls.push({ operation: target.slice(15), input: JSON.parse(body) });
        const error = errors[calls.length - 1];
        response.statusCode = error === undefined ? 200 : 400;
        response.setHeader('content-type', 'application/x-amz-json-1.1');
        return void response.end(JSON.stringify(error ? { __type: error, message: error } : own));
      }
      if (request.url === '/') {
        response.setHeader('content-type', 'text/xml');
        return void response.end(stack);
      }
      response.end(JSON.stringify({ projects: [{ project_id: 'acme', sign_in_providers }] }));
    }, onTestFinished);
    const args = ['--project', 'acme', '--provider', 'github', '--stack', 's', ...more];
    const result = await callOnAws(aws, main, args, { input: github });
    return { ...result, calls, operations: calls.map(({ operation }) => operation) };
  }

  test('replaces the existing one, under a name unique to the project and provider', async () => {
    const { code, calls, operations } = await onStack([]);
    expect([code, operations]).toEqual([0, ['PutSecretValue']]);
    const { SecretId, SecretString } = calls[0]?.input ?? {};
    expect(SecretId).toBe('s/sign-in-providers/acme/github');
    expect(providerSecretOf(sign_in_providers.github, String(SecretString))).toBe(github);
  });

  const missing = 'ResourceNotFoundException';
  test.each([
    [
      'is created if it does not exist',
      [missing],
      ['PutSecretValue', 'DescribeSecret', 'CreateSecret'],
    ],
    [
      'replaces one that is created concurrently',
      [missing, undefined, 'ResourceExistsException'],
      ['PutSecretValue', 'DescribeSecret', 'CreateSecret', 'PutSecretValue'],
    ],
  ])('%s', async (_, errors, expected) => {
    const { code, operations, calls } = await onStack(errors);
    expect([code, operations]).toEqual([0, expected]);
    const stored = String(calls.at(-1)?.input['SecretString']);
    expect(providerSecretOf(sign_in_providers.github, stored)).toBe(github);
  });

  test("is created with the key and the tags of the stack's own secrets", async () => {
    const { calls } = await onStack([missing]);
    expect(calls[1]?.input).toStrictEqual({ SecretId: 'captcha' });
    expect(calls[2]?.input).toMatchObject({
      KmsKeyId: own.KmsKeyId,
      Tags: [{ Key: 'owner', Value: 'platform' }],
    });
  });

  test.each([
    ['is deleted without a recovery window', [], true, ['DescribeSecret', 'DeleteSecret']],
    ['is reported as not deleted if it does not exist', [missing], false, ['DescribeSecret']],
    [
      'is reported as not deleted if it is deleted concurrently',
      [undefined, missing],
      false,
      ['DescribeSecret', 'DeleteSecret'],
    ],
  ])('%s', async (_, errors, deleted, expected) => {
    const { code, stdout, calls, operations } = await onStack(errors, '--delete');
    expect([code, operations]).toEqual([0, expected]);
    expect(JSON.parse(stdout)).toEqual({ project_id: 'acme', provider: 'github', deleted });
    for (const { operation, input } of calls)
      if (operation === 'DeleteSecret') expect(input['ForceDeleteWithoutRecovery']).toBe(true);
  });

  test('is not deleted if the project does not exist in the stack', async () => {
    const { code, stderr, calls } = await onStack([], '--delete', '--project', 'acmee');
    expect([code, stderr, calls]).toEqual([1, 'The project acmee does not exist.\n', []]);
  });

  test('an error of AWS is printed without the secret', async () => {
    const { code, stderr, stdout } = await onStack(['AccessDeniedException']);
    expect([code, stdout, stderr]).toEqual([1, '', 'AccessDeniedException.\n']);
  });
});
