/** @module-tag alone */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../bin/captcha-secret.ts';
import { main as projectMain } from '../../bin/project.ts';
import {
  addPending,
  operations,
  type SecretsError,
  type StoredSecret,
} from '../../local/aws/secret-operations.ts';
import type { Captcha } from '../../shared/access/projects.ts';
import { captchaKeyName } from '../../shared/captcha/key-name.ts';
import { newFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { describedStack } from './described-stack.ts';
import { call, callOnAws, run } from './run.ts';
import { serveFolder } from './serve-folder.ts';

const key = '1x0000000000000000000000000000000AA';
const setting: Captcha = {
  ...{ provider: 'turnstile', site_key: '1x00000000000000000000AA', rule: 'always' },
  hostnames: ['localhost'],
};
/** The name under which a project's key is stored. */
const named = (project: string, more: object = {}) =>
  captchaKeyName(project, { ...setting, ...more });
describe('on local data', () => {
  const folder = newFolder();
  serveFolder(folder);
  const at = () => ['--local', '--data', folder];
  const project = (...args: string[]) => call(projectMain, [...args, ...at()]);
  const kept = () => JSON.parse(readFileSync(join(folder, 'captcha-keys.json'), 'utf8')) as object;

  test('sets, replaces and deletes the key of one project, and keeps those of others', async () => {
    for (const id of ['one', 'two']) await project('create', '--project', id, '--name', id);
    const settingOf = (id: string) => [
      ...['--project', id, ...at(), '--captcha', JSON.stringify(setting)],
    ];
    const set = (id: string, input: string) => call(main, settingOf(id), { input });
    expect(
      await run(['bin/captcha-secret.ts', ...settingOf('one')], { input: `${key}\n` }),
    ).toMatchObject({ stdout: '{"project_id":"one","set":true}\n', code: 0 });
    await set('two', 'other');
    await set('one', 'newer');
    expect(kept()).toEqual({ [named('one')]: 'newer', [named('two')]: 'other' });
    const remove = () => call(main, ['--project', 'one', '--delete', ...at()]);
    await project('update', '--project', 'one', '--captcha', JSON.stringify(setting));
    expect((await remove()).stderr).toContain('The project one asks for a captcha.');
    // The next key is stored beside the current one, and replaced by the one after it.
    for (const site_key of ['next', 'another']) {
      const next = ['--captcha', JSON.stringify({ ...setting, site_key })];
      await call(main, ['--project', 'one', ...at(), ...next], { input: site_key });
    }
    expect(kept()).toEqual({
      [named('one')]: 'newer',
      [named('one', { site_key: 'another' })]: 'another',
      [named('two')]: 'other',
    });
    // Once the next key is in use, setting it again deletes the former one.
    const moved = JSON.stringify({ ...setting, site_key: 'another' });
    await project('update', '--project', 'one', '--captcha', moved);
    expect(Object.keys(kept())).toHaveLength(3);
    await call(main, ['--project', 'one', ...at()], { input: 'another' });
    expect(kept()).toEqual({
      [named('one', { site_key: 'another' })]: 'another',
      [named('two')]: 'other',
    });
    const plain = await call(main, ['--project', 'two', ...at()], { input: 'x' });
    expect(plain.stderr).toContain('The project two has no captcha.');
    const bad = ['--captcha', '{"provider":"other","site_key":"a b"}'];
    const { stderr } = await call(main, ['--project', 'two', ...at(), ...bad], { input: 'x' });
    for (const field of ['provider', 'site_key', 'rule', 'hostnames'])
      expect(stderr).toContain(`${field}: `);
    await project('update', '--project', 'one', '--captcha', '');
    for (const deleted of [true, false])
      expect((await remove()).stdout).toBe(`{"project_id":"one","deleted":${deleted}}\n`);
    expect(kept()).toEqual({ [named('two')]: 'other' });
    const wrong = await set('one', 'two words');
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('one line of printable characters');
    expect(wrong.stderr).not.toContain('two words');
    expect((await set('nobodys', key)).stderr).toBe('The project nobodys does not exist.\n');
  }, 60_000);
});

test.each([
  [['--stack', 'x'], 'Pass --project ID.'],
  [['--project', 'x'], 'Pass --stack NAME or --local.'],
  [['--project', 'x', '--stack', 'x', '--local'], 'Pass either --local (local data) or --stack'],
  [['--project', 'x', '--key', 'x'], "Unknown option '--key'."],
])('refuses the flags %j', async (args, message) => {
  const { stderr, code } = await call(main, args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

describe('on a stack', () => {
  let secret: StoredSecret;
  let aws = '';
  /** An action of another operator before our version becomes current. */
  let meanwhile: (() => void) | undefined;
  const current = () =>
    Object.values(secret.versions).find(({ stages }) => stages.includes('AWSCURRENT'))?.value;
  const put = (SecretString: string) => operations['PutSecretValue']?.(secret, { SecretString });

  /** Emulates AWS: the output of the stack, the operator's function, and the secret with its versions. */
  beforeEach(async () => {
    secret = { name: 'captcha', rotated: false, versions: {} };
    addPending(secret, 'none');
    put('r'.repeat(32));
    meanwhile = undefined;
    const stack = describedStack({ OperatorFunctionName: 'x', CaptchaSecretArn: 'x' });
    aws = await serve((request, response) => {
      void (async () => {
        const body = await text(request);
        const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
        if (request.url?.includes('invocations'))
          return response.end(JSON.stringify({ projects: [{ project_id: 'one' }] }));
        if (target === undefined) return response.end(stack);
        if (target === 'UpdateSecretVersionStage') meanwhile?.();
        try {
          const answer = operations[target]?.(secret, JSON.parse(body) as Record<string, unknown>);
          return response.end(JSON.stringify(answer));
        } catch (error) {
          const { name, message } = error as SecretsError;
          return response.writeHead(400).end(JSON.stringify({ __type: name, message }));
        }
      })();
    }, onTestFinished);
  });
  const set = (...more: string[]) =>
    callOnAws(
      aws,
      main,
      ['--project', 'one', '--stack', 'x', '--captcha', JSON.stringify(setting), ...more],
      { input: key },
    );

  test('adds the key to those of other projects, and deletes only it', async () => {
    expect(await set()).toMatchObject({ code: 0, stderr: '' });
    expect(current()).toBe(JSON.stringify({ [named('one')]: key }));
    put(JSON.stringify({ two: 'other', [named('one')]: 'older' }));
    await set();
    expect(JSON.parse(current() ?? '')).toEqual({ [named('one')]: key, two: 'other' });
    for (const deleted of [true, false])
      expect((await set('--delete')).stdout).toBe(`{"project_id":"one","deleted":${deleted}}\n`);
    expect(current()).toBe('{"two":"other"}');
    // It goes as if the answer to the first call had been lost.
    await set();
    meanwhile = () => put('{"two":"other"}');
    expect((await set('--delete')).stdout).toBe('{"project_id":"one","deleted":true}\n');
  });

  test('keeps concurrent changes of another operator', async () => {
    put('{"two":"other"}');
    let times = 0;
    meanwhile = () => {
      times += 1;
      if (times <= 2) put(JSON.stringify({ two: `other ${times}`, three: 'new' }));
    };
    expect(await set()).toMatchObject({ code: 0 });
    expect(JSON.parse(current() ?? '')).toEqual({
      [named('one')]: key,
      two: 'other 2',
      three: 'new',
    });
    expect(times).toBe(3);
  });

  test('refuses to overwrite a broken secret', async () => {
    put('{"two":"other"');
    const { code, stderr } = await set();
    expect([code, stderr]).toEqual([1, expect.stringContaining('AWSPREVIOUS')]);
    expect(current()).toBe('{"two":"other"');
  });
});
