/**
 * @module-tag proof
 * @module-tag alone
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../bin/project.ts';
import { newFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { describedStack } from './described-stack.ts';
import { call, callOnAws, root, run } from './run.ts';
import { serveFolder } from './serve-folder.ts';

type Secret = { secret_id: string; created_at: string; last_used_on: string | null };
type Shown = { project_id: string; secret: string; name: string; invitation_base_url: string };

const env = { DYNAMODB_ENGINE: '' };

async function statusOf(url: string, { project_id, secret }: Shown): Promise<number> {
  const authorization = `Basic ${btoa(`${project_id}:${secret}`)}`;
  return (await fetch(`${url}/users/search`, { method: 'POST', headers: { authorization } }))
    .status;
}

describe('on local data', () => {
  const folder = newFolder();
  const onFolder = ['--local', '--data', folder];
  const alone = (...args: string[]) => run(['bin/project.ts', ...args, ...onFolder], { env });
  /** Runs in this process, whose operator function keeps the server's engine. */
  const local = (...args: string[]) => call(main, [...args, ...onFolder]);
  const secretsKept = () =>
    JSON.parse(readFileSync(join(folder, 'projects.json'), 'utf8')) as Record<string, string>;

  async function answerOf<T = Shown>(...args: string[]): Promise<T> {
    const { stdout, stderr, code } = await local(...args);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  }

  let acme: Shown;
  beforeAll(async () => {
    // Before the server is started.
    acme = JSON.parse((await alone('create', '--project', 'acme', '--name', 'Acme')).stdout);
  });
  const server = serveFolder(folder, '--project', 'acme');

  test('works with and without a running server; a new secret works as soon as it is printed', async () => {
    const { project_id, secret } = acme;
    const { url, projects } = server().ready;
    expect(projects).toEqual([{ project_id, secret }]);
    // The instance has just read the project, or its absence.
    const refused = { ...acme, secret: `${secret.slice(0, -6)}AAAAAA` };
    const poll = () =>
      Promise.all([statusOf(url, refused), statusOf(url, { ...acme, project_id: 'later' })]);
    const polling = setInterval(() => void poll().catch(() => {}), 50);
    try {
      const rotated = JSON.parse((await alone('rotate-key', '--project', 'acme')).stdout) as Shown;
      expect(await statusOf(url, rotated)).not.toBe(401);
      const later = await answerOf('create', '--project', 'later', '--name', 'Later');
      expect(await statusOf(url, later)).not.toBe(401);
      expect(secretsKept()).toEqual({
        acme: rotated.secret,
        later: later.secret,
      });
    } finally {
      clearInterval(polling);
    }
    await answerOf('update', '--project', 'acme', '--name', 'Renamed');
    const list = await answerOf<{ projects: Shown[] }>('list');
    expect(list.projects.map(({ name }) => name)).toEqual(['Renamed', 'Later']);
  });

  test('through npm, stdout contains only the result', async () => {
    const args = ['run', '-s', 'project:create', '--', '--name', 'A', ...onFolder];
    const options = { cwd: root, env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)('npm', args, options);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'A', secret: expect.any(String) });
  });

  test('says where the secret is stored, and which links have no target', async () => {
    const kept = `The secret is stored in ${folder}/projects.json. The Basic credential is project_id:secret.\n`;
    const unset =
      /^Its invitation links have no target yet: .*--invitation-base-url with project:update/m;
    const bare = await local('create', '--name', 'Bare', '--project', 'bare');
    expect(bare.stderr).toContain(kept);
    expect(bare.stderr).toMatch(unset);
    const set = ['--invitation-base-url', 'https://acme.example/join'];
    const whole = await local('create', '--name', 'Whole', ...set);
    expect(whole.stderr).toBe(kept);
    expect((await local('rotate-key', '--project', 'bare')).stderr).toBe(kept);
    const late = 'Running instances see the change within 60 s.\n';
    expect((await local('update', '--project', 'bare', ...set)).stderr).toBe(late);
    const on = ['--password-sign-in', 'true', '--sign-up', 'true'];
    const links = ['--mail-links', '{"reset_password":"https://acme.example/reset"}'];
    expect((await local('update', '--project', 'bare', ...on, ...links)).stderr).toBe(
      `${['sign_up', 'verify_email', 'change_email'].map((purpose) => `Its ${purpose} mail links have no target yet: set all links with --mail-links.\n`).join('')}${late}`,
    );
  });

  test('does not store a secret that expires', async () => {
    await answerOf('create', '--project', 'short', '--name', 'Short');
    const kept = secretsKept();
    const expiring = ['--name', 'import', '--expires-in', '60'];
    const made = await local('create-secret', '--project', 'short', ...expiring);
    expect(made.stderr).toBe(
      'The secret is shown only once. The Basic credential is project_id:secret.\nIt expires in 60 s.\n',
    );
    expect((JSON.parse(made.stdout) as { secrets: Secret[] }).secrets[0]).toMatchObject({
      name: 'import',
      expires_at: expect.any(String),
    });
    expect(secretsKept()).toEqual(kept);
  });

  test('stores the secret of a client beside that of its project', {
    tags: 'engine',
  }, async () => {
    await answerOf('create', '--project', 'shop', '--name', 'Shop');
    const kept = secretsKept();
    const of = ['--project', 'shop', '--client', 'backend'];
    const uris = ['--client-name', 'Shop', '--redirect-uris', '["https://acme.example/callback"]'];
    const made = await local('create-client', ...of, ...uris, '--confidential', 'true');
    expect(made.stderr).toBe(
      `The secret is stored in ${folder}/projects.json. The client authenticates with client_id and secret.\n`,
    );
    expect(secretsKept()).toEqual({
      ...kept,
      'shop.backend': (JSON.parse(made.stdout) as Shown).secret,
    });
  });

  test('a failed call prints one sentence, without the usage', async () => {
    await answerOf('create', '--project', 'taken', '--name', 'First');
    const failed = (stderr: string) => ({ stdout: '', stderr: `${stderr}\n`, code: 1 });
    expect(await local('create', '--project', 'taken', '--name', 'Second')).toEqual(
      failed('The project taken already exists.'),
    );
    for (const args of [['rotate-key'], ['update', '--name', 'x']]) {
      expect(await local(...args, '--project', 'missing')).toEqual(
        failed('The project missing does not exist.'),
      );
    }
  });

  test('creates secrets, lists them with their last use, and revokes them, even the last', {
    tags: 'engine',
  }, async () => {
    const kept = secretsKept();
    const first = await answerOf('create', '--project', 'spare', '--name', 'Spare');
    const { url } = server().ready;
    const beside = (...args: string[]) => local(...args, '--project', 'spare');
    const added = JSON.parse((await beside('create-secret')).stdout) as Shown;
    expect(await Promise.all([statusOf(url, first), statusOf(url, added)])).toEqual([415, 415]);
    expect(secretsKept()).toEqual({ ...kept, spare: added.secret });
    const list = async () =>
      (JSON.parse((await beside('list-secrets')).stdout) as { secrets: Secret[] }).secrets;
    const a = {
      secret_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      created_at: expect.any(String),
      last_used_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    };
    const secrets = await list();
    expect(secrets).toEqual([a, a]);
    const revoke = ({ secret_id }: Secret) => beside('revoke-secret', '--secret-id', secret_id);
    const [newer, older] = secrets as [Secret, Secret];
    const works = (id: string) => `The secret ${id} stops working within 60 s.\n`;
    expect(await revoke(older)).toMatchObject({ code: 0, stderr: works(older.secret_id) });
    expect(await list()).toEqual([newer]);
    expect(await revoke(newer)).toMatchObject({
      code: 0,
      stderr: `${works(newer.secret_id)}It was the last one: the backend cannot authenticate until project:create-secret creates another.\n`,
    });
    expect(await list()).toEqual([]);
    expect(await revoke(newer)).toEqual({
      stdout: '',
      stderr: `The project spare has no secret ${newer.secret_id}.\n`,
      code: 1,
    });
  });
});

test('--help prints the usage on stdout', async () => {
  const { stdout, stderr, code } = await call(main, ['create', '--help']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^Usage, /);
});

test('a wrong command line prints the errors and a hint, with exit code 1', async () => {
  const { stdout, stderr, code } = await call(main, ['rotate-key', '--keep', 'abc', '--local']);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr).toBe(
    `--project is required.\n--keep must be a whole number from 0 to 9.\nSee npm run project:rotate-key -- --help.\n`,
  );
});

describe('on a stack', () => {
  const stack = describedStack({ OperatorFunctionName: 'fn' });
  /** Calls a stack whose function responds with `lambda`, over the SDK's own protocol on this machine. */
  async function onStack(
    lambda: { error?: string; status?: number; body: object },
    ...args: string[]
  ) {
    const invocations: unknown[] = [];
    const endpoint = await serve(async (request, response) => {
      const body = await text(request);
      if (request.url === '/') {
        response.setHeader('content-type', 'text/xml');
        response.end(stack);
        return;
      }
      invocations.push(JSON.parse(body));
      if (lambda.error) response.setHeader('x-amz-function-error', lambda.error);
      response.statusCode = lambda.status ?? 200;
      response.end(JSON.stringify(lambda.body));
    }, onTestFinished);
    const result = await callOnAws(endpoint, main, [...args, '--stack', 's']);
    return { ...result, invocations };
  }
  const doubt = 'Run npm run project:list to see whether it took effect.';

  test('prints the result, and that the secret is shown only once', async () => {
    const url = ['--invitation-base-url', 'https://acme.example/join'];
    const body = { project_id: 'a', secret: 'wsk_x' };
    const answer = await onStack({ body }, 'create', '--name', 'A', ...url);
    expect(answer).toMatchObject({ code: 0, invocations: [{ action: 'create', name: 'A' }] });
    expect(JSON.parse(answer.stdout)).toEqual(body);
    expect(answer.stderr).toBe(
      'The secret is shown only once. The Basic credential is project_id:secret.\n',
    );
  });

  test.each([
    [
      'an error of the operator function',
      {
        error: 'Unhandled',
        body: { errorType: 'Error', errorMessage: 'The project a does not exist.' },
      },
      'The project a does not exist.',
    ],
    [
      'a timeout of the operator function',
      {
        error: 'Unhandled',
        body: { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out.' },
      },
      `Task timed out. ${doubt}`,
    ],
    [
      'an error of Lambda, without a retry,',
      { status: 500, body: { message: 'Oh no' } },
      `Oh no. ${doubt}`,
    ],
  ])('prints %s without the usage', async (_, lambda, sentence) => {
    const { stdout, stderr, code, invocations } = await onStack(
      lambda,
      'rotate-key',
      '--project',
      'a',
    );
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `${sentence}\n`, code: 1 });
    expect(invocations).toEqual([{ action: 'rotate-key', project_id: 'a' }]);
  });
});
