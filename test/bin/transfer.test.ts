import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Command } from '../../bin/flags.ts';
import { main as manageProjects } from '../../bin/project.ts';
import { mapInOrder } from '../../bin/transfer/in-order.ts';
import { untilInterrupted } from '../../bin/transfer/interruption.ts';
import { operateTarget } from '../../bin/transfer/operate-target.ts';
import { openOutput } from '../../bin/transfer/output-file.ts';
import { openProject, placeOf } from '../../bin/transfer/project-api.ts';
import { main as dropHashKinds } from '../../bin/users-drop-hash-kinds.ts';
import { hashesOf } from '../support/imported-hashes.ts';
import { startWorld } from '../support/world.ts';
import { type Account, healthy, stackName, startAws } from './doctor/aws.ts';
import { newFiles } from './folder.ts';
import { call, run } from './run.ts';

const account: Account = healthy();
// The test world sets an AWS endpoint per service for itself; those take precedence over this one.
const world = await startWorld({ subscribers: false });
await startAws(() => account);
account.operate = (request) => world.operate(request);
if (account.stack) account.stack.outputs['BaseUrl'] = `${world.url}/`;

const { at } = newFiles();

describe("the name of a project's place", () => {
  test.each([
    [{ url: 'https://a.example.com/' }, 'acme at https://a.example.com'],
    [{ local: true, data: `${tmpdir()}/` }, `acme at http://localhost:3000, data in ${tmpdir()}`],
    [{ stack: stackName }, `acme at ${world.url}, stack ${stackName}`],
  ])('distinguishes it from every other place: %j', async (target, name) => {
    expect((await placeOf({ project: 'acme', ...target })).name).toBe(name);
  });
});

test.each([
  ['users-export', ['x.jsonl']],
  ['users-import', [import.meta.filename, '--from', 'jsonl']],
  ['users-drop-hash-kinds', []],
  ['project', ['list-secrets']],
])('%s does not create a missing data folder, and names it', async (name, more) => {
  const data = at('typo');
  const { main } = (await import(`../../bin/${name}.ts`)) as { main: Command };
  const args = [...more, '--project', 'acme', '--local', '--data', data];
  const { stdout, stderr, code } = await call(main, args);
  expect({ stdout, stderr, code }).toEqual({
    stdout: '',
    stderr: `There is no data folder ${data}. Create it with npm start -- --data ${data}.\n`,
    code: 1,
  });
  await expect(stat(data)).rejects.toThrow('ENOENT');
  const list = operateTarget({ project: 'acme', local: true, data }, { action: 'list' });
  await expect(list).rejects.toThrow(`There is no data folder ${data}.`);
  await expect(stat(data)).rejects.toThrow('ENOENT');
});

test('the secret of a run has its name, expires within an hour and is revoked at the end', async () => {
  const { project_id } = await world.newProject();
  type Listed = { secrets: { secret_id: string; name?: string; expires_at?: string }[] };
  const list = async () =>
    ((await world.operate({ action: 'list-secrets', project_id })) as Listed).secrets;
  const [own] = await list();
  const place = await placeOf({ project: project_id, stack: stackName });
  const killed = await openProject(place, 'import', process);
  const api = await openProject(place, 'export', process, killed.secretId());
  const [made, ...others] = await list();
  expect(others.map(({ secret_id }) => secret_id)).toEqual([own?.secret_id]);
  expect(made).toMatchObject({ name: 'export', secret_id: api.secretId() });
  const left = Date.parse(made?.expires_at ?? '') - Date.now();
  expect(left).toBeGreaterThan(3_500_000);
  expect(left).toBeLessThanOrEqual(3_600_000);
  expect((await api.call('GET', '/users')).status).toBe(200);
  await api.close();
  expect((await list()).map(({ secret_id }) => secret_id)).toEqual([own?.secret_id]);
});

test('stopping users:drop-hash-kinds while it waits leaves no secret', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  const password_hash = hashesOf['pbkdf2-sha256']('correct horse', 1_000);
  const users = [{ email: 'ada@hash.example.com', password_hash }];
  expect((await world.as(project).users.import({ users })).body).toMatchObject({ created: 1 });
  const said: string[] = [];
  const stderr = {
    write(text: string) {
      said.push(text);
      if (text.startsWith('Waiting')) process.listeners('SIGINT').at(-1)?.('SIGINT');
    },
  };
  const running = dropHashKinds(['--project', project_id, '--stack', stackName], {
    ...{ env: {}, stdin: process.stdin, stdout: stderr, stderr },
  });
  await expect(running).rejects.toThrow('Stopped. Run the command again to go on.');
  expect(said).toContain('\nStopping after the requests under way …\n');
  const { secrets } = (await world.operate({ action: 'list-secrets', project_id })) as {
    secrets: object[];
  };
  expect(secrets).toHaveLength(1);
});

/** Ctrl-C to a command, as soon as it has the stack create a secret. */
function interruptAtSecret() {
  const before = process.listenerCount('SIGINT');
  account.operate = (request) => {
    const isHeard = process.listenerCount('SIGINT') > before;
    if (isHeard && Object(request).action === 'create-secret')
      process.listeners('SIGINT').at(-1)?.('SIGINT');
    return world.operate(request);
  };
  onTestFinished(() => {
    account.operate = (request) => world.operate(request);
  });
}

test.each([
  ['users-export', [], 'Run the command again to go on.'],
  ['users-import', ['--from', 'jsonl'], 'Stopped; run the command again to go on.'],
])('stopping %s while its secret is created leaves no secret', async (name, more, said) => {
  const { project_id } = await world.newProject();
  const { main } = (await import(`../../bin/${name}.ts`)) as { main: Command };
  const file = at(`${name}-stopped.jsonl`);
  if (name === 'users-import') await writeFile(file, '{"email":"one@stopped.example.com"}\n');
  interruptAtSecret();
  const args = [file, ...more, '--project', project_id, '--stack', stackName];
  const { stderr, code } = await call(main, args);
  expect([stderr, code]).toEqual([expect.stringContaining(said), 1]);
  const { secrets } = (await world.operate({ action: 'list-secrets', project_id })) as {
    secrets: object[];
  };
  expect(secrets).toHaveLength(1);
});

test('Ctrl-C while project:create-secret runs does not lose the secret, which is shown once', async () => {
  const { project_id } = await world.newProject();
  interruptAtSecret();
  const args = ['create-secret', '--project', project_id, '--stack', stackName];
  const { stdout, stderr, code } = await call(manageProjects, args);
  expect([stderr, code]).toEqual([expect.stringContaining('Stopping after the requests'), 0]);
  expect(JSON.parse(stdout)).toMatchObject({ project_id, secret: expect.any(String) });
});

test('a command with --stack creates its secret, works, and its process ends', async () => {
  const { project_id } = await world.newProject();
  await writeFile(at('one.jsonl'), '{"email":"one@stack.example.com"}\n');
  const aws = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  const args = [at('one.jsonl'), '--from', 'jsonl', '--project', project_id, '--stack', stackName];
  const env = Object.fromEntries(aws);
  const { stdout, stderr, code } = await run(['bin/users-import.ts', ...args], { env });
  expect([stdout, code], stderr).toEqual(['1 users: 1 created.\n', 0]);
});

test('a run handles the first Ctrl-C, and removes its signal handlers at the end', () => {
  const listening = () =>
    (['SIGINT', 'SIGTERM'] as const).map((signal) => process.listenerCount(signal));
  const before = listening();
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) };
  {
    using interruption = untilInterrupted({ stderr });
    expect(listening()).toEqual(before.map((count) => count + 1));
    expect(interruption.signal.aborted).toBe(false);
    process.listeners('SIGINT').at(-1)?.('SIGINT');
    // npm forwards the signal that the terminal has sent to this process too.
    process.listeners('SIGINT').at(-1)?.('SIGINT');
    expect([interruption.signal.aborted, said]).toEqual([
      true,
      ['\nStopping after the requests under way …\n'],
    ]);
  }
  expect(listening()).toEqual(before);
});

describe('an output file', () => {
  test('is readable by its owner only, even if it existed, and is continued after the recorded length', async () => {
    await writeFile(at('a.jsonl'), '{"n":1}\n{"n":', { mode: 0o644 });
    await chmod(at('a.jsonl'), 0o644);
    const output = await openOutput(at('a.jsonl'), { written: 8, replace: false });
    await output.append([{ n: 2 }, { n: 'é' }]);
    await output.close();
    const text = await readFile(at('a.jsonl'));
    expect(text.toString()).toBe('{"n":1}\n{"n":2}\n{"n":"é"}\n');
    expect(output.bytes).toBe(text.length);
    expect((await stat(at('a.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('that is shorter than recorded is refused, and kept', async () => {
    await writeFile(at('b.jsonl'), '{}\n');
    await expect(openOutput(at('b.jsonl'), { written: 4, replace: true })).rejects.toThrow(
      'has 3 bytes, but the run that is to go on had written 4.',
    );
    expect(await readFile(at('b.jsonl'), 'utf8')).toBe('{}\n');
  });

  test('must be a regular file, because a resumed run truncates it', async () => {
    await expect(openOutput('/dev/null', { written: undefined, replace: true })).rejects.toThrow(
      '/dev/null must be a file, not a pipe or a device.',
    );
  });

  test('that exists is replaced only with --force', async () => {
    await writeFile(at('c.jsonl'), 'of another\n');
    const fresh = { written: undefined, replace: false };
    await expect(openOutput(at('c.jsonl'), fresh)).rejects.toThrow('Pass --force to replace it.');
    expect(await readFile(at('c.jsonl'), 'utf8')).toBe('of another\n');
    await (await openOutput(at('c.jsonl'), { ...fresh, replace: true })).close();
    expect(await readFile(at('c.jsonl'), 'utf8')).toBe('');
  });
});

test('mapInOrder works on a limited number of items at a time, and keeps their order', async () => {
  let running = 0;
  let most = 0;
  const things = Array.from({ length: 50 }, (_, n) => n);
  const results = await mapInOrder(things, 8, async (n) => {
    running += 1;
    most = Math.max(most, running);
    await sleep((n * 7) % 5);
    running -= 1;
    return n * 2;
  });
  expect(results).toEqual(things.map((n) => n * 2));
  expect(most).toBe(8);
});
