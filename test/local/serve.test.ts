/** @module-tag proof */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mail } from '../../local/aws/ses.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { readOptions } from '../../local/options.ts';
import { docsScripts } from '../../shared/contract/docs.ts';
import { createUser, post, type Ready, serve as startServer } from '../support/server.ts';
import { servers } from './servers.ts';

const { own, run, serve, onFolder } = servers();

describe('starting the server', () => {
  test('--json prints one line on stdout; its URL and every credential in it work', async () => {
    const ids = ['one', 'two'];
    const { ready, output, child, exit } = await serve(
      '--memory',
      ...ids.flatMap((id) => ['--project', id]),
    );
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      projects: ids.map((project_id) => ({
        project_id,
        secret: expect.stringMatching(/^wsk_/),
        client: { client_id: `${project_id}.backend`, secret: expect.stringMatching(/^wsk_/) },
      })),
    });
    for (const project of ready.projects)
      expect((await createUser({ ...ready, projects: [project] })).status).toBe(201);
    child.kill('SIGTERM');
    await exit;
    expect(output.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(output.stderr).toBe('');
  });

  test('without --json it prints shell commands that work as printed', async () => {
    const { child, output, exit } = run('--memory', '--port', '0');
    while (!output.stdout.includes('status=accepted')) await once(child.stdout, 'data');
    const script = output.stdout.slice(output.stdout.indexOf('  # '));
    const { stdout } = await promisify(execFile)('bash', ['-euc', script]);
    const lines = stdout.trim();
    expect(lines).toMatch(/^[0-9a-f-]{36}\n[\w-]+\.[\w-]+\.[\w-]+\n\{"uid":/);
    expect(lines).toMatch(/\nwid-[0-9a-f-]{36}\n\{"total":1,"count":1,"result":\[\{"uid":/);
    child.kill('SIGINT');
    expect((await exit).code).toBe(0);
  });

  test('--bundles serves the bundles that would be deployed', async () => {
    const { ready } = await serve('--memory', '--bundles');
    expect((await createUser(ready)).status).toBe(201);
    expect((await fetch(`${ready.url}/docs/${docsScripts.start}`)).status).toBe(200);
  });

  test('reports on stderr which engine it uses if it did not start its own', async () => {
    const { endpoint, close } = await startEngine();
    own.engineAddress = endpoint;
    const other = await serve('--memory');
    expect(other.output.stderr).toBe(`The engine is the one at ${endpoint}.\n`);
    other.child.kill('SIGTERM');
    await other.exit;
    await close();
  });
});

describe('a server in memory', () => {
  const page = 'http://localhost:5173';
  let ready: Ready;
  let child: ChildProcess;
  beforeAll(async () => {
    const environment = {
      DYNAMODB_ENGINE: '',
      AWS_ENDPOINT_URL_DYNAMODB: '',
      // No request to its own processes takes the proxy that a network requires.
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: 'localhost,127.0.0.1',
    };
    ({ ready, child } = await startServer(['--memory', '--cors', page], environment));
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('the invitation links of a local project lead to its hosted page', async () => {
    const { body } = await createUser(ready, 'grace@example.com');
    const workspace = await post(ready, '/workspaces', { name: 'Engines', owner_id: body.uid });
    expect(workspace.body).toMatchObject({
      invitation_url: expect.stringMatching(/^http:\/\/[\w.:]+\/pages\/\w+\/invitation\?/),
    });
  });

  test('sent mails can be read beside the API', async () => {
    const [{ project_id } = { project_id: '' }] = ready.projects;
    await post(ready, '/codes', { project_id, email: 'ada@example.com' });
    const mails = async () =>
      (await fetch(`${ready.url}/_local/mail.json`)).json() as Promise<Mail[]>;
    await expect.poll(mails).toHaveLength(1);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: 'ada@example.com', text: expect.stringMatching(/\b\d{6}\b/) });
    const shown = await fetch(`${ready.url}/_local/mail`);
    expect(await shown.text()).toContain(mail?.subject);
  });

  test('--cors allows pages of that origin to call, and no other', async () => {
    const ask = (origin: string) =>
      fetch(`${ready.url}/sign-up`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await ask(page);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(page);
    expect(allowed.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,idempotency-key,if-match,if-none-match',
    );
    const other = await ask('http://localhost:5174');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(() => readOptions(['--cors', `${page}/`])).toThrow('--cors must be an origin such as');
  });

  test('responds on both addresses of localhost', async () => {
    const { port } = new URL(ready.url);
    for (const host of ['127.0.0.1', '[::1]']) {
      expect((await fetch(`http://${host}:${port}/openapi.json`)).status).toBe(200);
    }
  });
});

test('the flags have their defaults', () => {
  expect(readOptions([])).toEqual({
    port: 3000,
    folder: '.data',
    projects: ['demo'],
    json: false,
    bundles: false,
    cors: [],
    throttle: false,
    help: false,
  });
  const twice = readOptions(['--memory', '--project', 'a', '--project', 'b', '--project', 'a']);
  expect(twice).toMatchObject({ folder: undefined, projects: ['a', 'b'] });
});

describe('a server that cannot start prints one sentence and exits with code 1', () => {
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args).exit;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr.trim();
  };

  test('a busy port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const sentence = await refused('--memory', '--port', `${port}`);
    expect(sentence).toBe(
      `Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
    );
    server.close();
  });

  test('an unknown flag', async () => {
    expect(await refused('--prot', 'x')).toBe("Unknown option '--prot'. See npm start -- --help.");
  });

  test.each([
    ['--port', 'x', /^--port must be a number/],
    ['--port', '65536', /^--port must be a number/],
    ['--port', '-1', /^Option '--port' argument is ambiguous\. See/],
    ['--project', 'A b', /^--project 'A b' is not a valid project id: /],
    ['--memory', '--data=x', /not both/],
    ['--json', 'x', /^Unexpected argument 'x'/],
    ['--json=yes', '', /^Option '--json' does not take an argument/],
  ])('the flags %s %s', (flag, value, sentence) => {
    expect(() => readOptions([flag, value].filter(Boolean))).toThrow(sentence);
  });

  test('a data folder in use, also by another name', async () => {
    const { child } = await onFolder();
    const other = join(own.folder, 'other');
    symlinkSync(own.folder, other);
    expect(await refused('--data', other, '--port', '0')).toMatch(
      new RegExp(
        `^The data folder ${realpathSync(own.folder)} is in use by process ${child.pid}\\.`,
      ),
    );
  });

  test.each([
    ['dynoxide.db', 'not a database'],
    ['secret.json', '{'],
    ['secret.json', '{"name": "other"}'],
    ['projects.json', '[1]'],
    ['made-by.json', '{"engine": "another"}'],
  ])('a data folder with a corrupt %s', async (file, content) => {
    writeFileSync(join(own.folder, file), content);
    expect(await refused('--data', own.folder, '--port', '0')).toMatch(
      new RegExp(`^The data folder \\S+ cannot be used: .*Move it away or delete it`),
    );
  });

  test('a data folder that is a file', async () => {
    const file = join(own.folder, 'file');
    writeFileSync(file, '');
    expect(await refused('--data', file)).toMatch(/^The data folder \S+ cannot be used: /);
  });

  test.skipIf(process.platform !== 'linux')('a data folder that cannot be created', async () => {
    const folder = '/proc/no/such';
    expect(await refused('--data', folder)).toMatch(
      new RegExp(`^The data folder ${folder} cannot be used: .*Choose another one with --data\\.`),
    );
  });

  test('an unknown engine', async () => {
    own.engine = 'other';
    expect(await refused('--memory')).toMatch(/^DYNAMODB_ENGINE is 'other'/);
  });
});
