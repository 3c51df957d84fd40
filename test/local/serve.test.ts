import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startEngine } from '../../local/engine.ts';
import { readOptions } from '../../local/options.ts';
import type { Mail } from '../../local/outbox.ts';
import { isAlive } from '../../local/process.ts';
import { docsScripts } from '../../shared/contract/docs.ts';
import { developmentXpub } from '../../shared/identity/development-wallet.ts';
import { deriveAddress } from '../../shared/identity/wallet.ts';
import {
  backgroundPid,
  createUser,
  post,
  run as runServer,
  serve as startServer,
} from '../support/server.ts';

const started: ChildProcess[] = [];
let folder: string;
/** DYNAMODB_ENGINE of the processes; empty lets them choose, which is quicker than the fallback. */
let engine: string;
/** AWS_ENDPOINT_URL_DYNAMODB of the processes; empty where they are to start their own. */
let engineAddress: string;

beforeEach(() => {
  engine = '';
  engineAddress = '';
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const environment = () => ({
  DYNAMODB_ENGINE: engine,
  AWS_ENDPOINT_URL_DYNAMODB: engineAddress,
});
function run(...args: string[]) {
  const server = runServer(args, environment());
  started.push(server.child);
  return server;
}
const serve = (...args: string[]) =>
  startServer(args, environment(), (child) => started.push(child));

const onFolder = () => serve('--data', folder);
const enginePid = (): number =>
  (JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8')) as { engine: { pid: number } })
    .engine.pid;

async function untilGone(pid: number) {
  for (let waited = 0; isAlive(pid) && waited < 5000; waited += 20) await sleep(20);
  return !isAlive(pid);
}

describe('starting', () => {
  test('--json prints one line on stdout, and the URL and every credential in it work', async () => {
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
  });

  test('without --json it prints shell lines that work as printed', async () => {
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

  test('--bundles serves what would be deployed', { timeout: 180_000 }, async () => {
    const { ready } = await serve('--memory', '--bundles');
    expect((await createUser(ready)).status).toBe(201);
    expect((await fetch(`${ready.url}/docs/${docsScripts.start}`)).status).toBe(200);
  });

  test('it says on stderr which engine it uses where that is not its own', async () => {
    const own = await serve('--memory');
    expect(own.output.stderr).toBe('');
    const { endpoint, close } = await startEngine();
    engineAddress = endpoint;
    const other = await serve('--memory');
    expect(other.output.stderr).toBe(`The engine is the one at ${endpoint}.\n`);
    other.child.kill('SIGTERM');
    await other.exit;
    await close();
  });

  test('the invitation links of a local project are such as one can follow', async () => {
    const { ready } = await serve('--memory');
    const { body } = await createUser(ready);
    const workspace = await post(ready, '/workspaces', { name: 'Engines', owner_id: body.uid });
    expect(workspace.body).toMatchObject({
      invitation_url: expect.stringMatching(/^http:\/\/[\w.:]+\/pages\/\w+\/invitation\?/),
    });
  });

  test('what is mailed can be read beside the API', async () => {
    const { ready } = await serve('--memory');
    const [{ project_id } = { project_id: '' }] = ready.projects;
    await post(ready, '/codes', { project_id, email: 'ada@example.com' });
    const mails = async () =>
      (await fetch(`${ready.url}/_local/mail.json`)).json() as Promise<Mail[]>;
    await expect.poll(mails).toHaveLength(1);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: 'ada@example.com', text: expect.stringMatching(/\b\d{6}\b/) });
    const page = await fetch(`${ready.url}/_local/mail`);
    expect(await page.text()).toContain(mail?.subject);
  });

  test('--cors lets the pages of that origin call, and of no other', async () => {
    const page = 'http://localhost:5173';
    const { ready } = await serve('--memory', '--cors', page);
    const ask = (origin: string) =>
      fetch(`${ready.url}/sign-up`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const allowed = await ask(page);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(page);
    expect(allowed.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,idempotency-key,if-match',
    );
    const other = await ask('http://localhost:5174');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(() => readOptions(['--cors', `${page}/`])).toThrow('--cors must be an origin such as');
  });

  test('both addresses of localhost answer', async () => {
    const { ready } = await serve('--memory');
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

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with no process left',
    async (signal) => {
      const { child, exit } = await onFolder();
      const pids = [enginePid(), backgroundPid(child)];
      expect(pids.map(isAlive)).toEqual([true, true]);
      child.kill(signal);
      expect((await exit).code).toBe(0);
      expect(pids.map(isAlive)).toEqual([false, false]);
    },
  );

  test('a kill -9 leaves none either', { tags: 'engine' }, async () => {
    const { child, exit } = await onFolder();
    const pids = [enginePid(), backgroundPid(child)];
    child.kill('SIGKILL');
    await exit;
    expect(await Promise.all(pids.map(untilGone))).toEqual([true, true]);
  });

  test('it ends, and says why, where its background functions are killed', async () => {
    const { child, exit } = await onFolder();
    const pid = enginePid();
    process.kill(backgroundPid(child), 'SIGKILL');
    expect(await exit).toMatchObject({
      code: 1,
      stderr: 'The background functions ended, so this server ends too.\n',
    });
    expect(isAlive(pid)).toBe(false);
  });
});

describe('data', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'survives %s and keeps the secret',
    { tags: 'engine' },
    async (signal) => {
      engine = process.env['DYNAMODB_ENGINE'] ?? '';
      const first = await onFolder();
      const { body } = await createUser(first.ready);
      first.child.kill(signal);
      await first.exit;
      const second = await onFolder();
      expect(second.ready.projects).toEqual(first.ready.projects);
      expect(await createUser(second.ready)).toMatchObject({
        status: 200,
        body: { uid: body.uid },
      });
    },
  );

  test('an engine that a dead server left behind is ended, and nobody else', {
    tags: 'engine',
  }, async () => {
    const left = await startEngine(folder);
    const lock = { pid: 2 ** 22, command: 'node', engine: { endpoint: 'x', pid: left.pid } };
    writeFileSync(join(folder, 'lock.json'), JSON.stringify(lock));
    const { child, exit } = await onFolder();
    expect(isAlive(left.pid ?? 0)).toBe(false);
    child.kill('SIGTERM');
    await exit;
    // Both ids are ours by now, which no recorded command line fits.
    const stale = {
      pid: process.pid,
      command: 'node',
      engine: { endpoint: 'x', pid: process.pid },
    };
    writeFileSync(join(folder, 'lock.json'), JSON.stringify(stale));
    await onFolder();
  });

  test.each(['', '{"pid": 1', 'null', '{"pid": "x"}'])(
    'a broken lock, as a loss of power leaves it, is no lock: %j',
    async (content) => {
      writeFileSync(join(folder, 'lock.json'), content);
      const { ready } = await onFolder();
      expect((await createUser(ready)).status).toBe(201);
      expect(isAlive(enginePid())).toBe(true);
    },
  );

  test('where WALLET_XPUB is empty users have no wallet, and get one once it is not', async () => {
    vi.stubEnv('WALLET_XPUB', '');
    const first = await onFolder();
    expect((await createUser(first.ready)).body).toMatchObject({ address: '' });
    first.child.kill('SIGTERM');
    await first.exit;
    vi.stubEnv('WALLET_XPUB', undefined);
    const { ready } = await onFolder();
    const { body } = await createUser(ready);
    expect(body).toMatchObject({ address: deriveAddress(developmentXpub, body.uid) });
    vi.unstubAllEnvs();
  });

  test('is readable by its owner alone', async () => {
    await onFolder();
    for (const file of ['secret.json', 'projects.json']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  test('a folder of before there were secrets for mails and webhooks goes on working', async () => {
    const first = await onFolder();
    const { body } = await createUser(first.ready);
    first.child.kill('SIGTERM');
    await first.exit;
    const file = join(folder, 'secret.json');
    const [signing] = JSON.parse(readFileSync(file, 'utf8')) as object[];
    writeFileSync(file, JSON.stringify(signing));
    const second = await onFolder();
    const session = await post(second.ready, '/sessions', { uid: body.uid });
    expect(session.status).toBe(201);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([
      signing,
      { name: 'mail-key', rotated: false },
      { name: 'webhook-key', rotated: false },
    ]);
  });

  test('a lost file of secrets gives a further secret; the lost one still works', async () => {
    const first = await onFolder();
    await createUser(first.ready);
    first.child.kill('SIGTERM');
    await first.exit;
    rmSync(join(folder, 'projects.json'));
    const second = await onFolder();
    expect(second.ready.projects).not.toEqual(first.ready.projects);
    expect((await createUser(second.ready)).status).toBe(200);
    expect((await createUser({ ...first.ready, url: second.ready.url })).status).toBe(200);
  });
});

describe('what keeps it from starting is one sentence and exit code 1', () => {
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

  test('a data folder in use', async () => {
    const { child } = await onFolder();
    expect(await refused('--data', folder, '--port', '0')).toMatch(
      new RegExp(`^The data folder ${folder} is in use by process ${child.pid}\\.`),
    );
  });

  test.each([
    ['dynoxide.db', 'not a database'],
    ['secret.json', '{'],
    ['secret.json', '{"name": "other"}'],
    ['projects.json', '[1]'],
    ['made-by.json', '{"engine": "another"}'],
  ])('a data folder with a corrupt %s', async (file, content) => {
    writeFileSync(join(folder, file), content);
    expect(await refused('--data', folder, '--port', '0')).toMatch(
      new RegExp(`^The data folder \\S+ cannot be used: .*Move it away or delete it`),
    );
  });

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await refused('--data', file)).toMatch(/^The data folder \S+ cannot be used: /);
  });

  test('an engine that nobody knows', async () => {
    engine = 'other';
    expect(await refused('--memory')).toMatch(/^DYNAMODB_ENGINE is 'other'/);
  });
});
