/** @module-tag proof */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { main } from '../../bin/console.ts';
import { consolePage } from '../support/console-page.ts';
import { newFolder } from '../support/folder.ts';
import { serve as startServer } from '../support/server.ts';
import { call, root, run } from './run.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = newFolder(onTestFinished);
});
afterEach(async () => {
  for (const child of children.splice(0).toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

const env = { DYNAMODB_ENGINE: '' };

/** Starts the command, and resolves with the address that it prints. */
const start = (...args: string[]) => startBy(process.execPath, 'bin/console.ts', ...args);
async function startBy(command: string, ...args: string[]) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(output.stderr)));
  ended.catch(() => {});
  while (!output.stdout.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended]);
  return { child, output, address: output.stdout.trim() };
}

type Secrets = { secrets: { secret_id: string; name?: string }[] };
async function secretsOf(project: string) {
  const args = [
    'bin/project.ts',
    'list-secrets',
    '--project',
    project,
    '--local',
    '--data',
    folder,
  ];
  return (JSON.parse((await run(args, { env })).stdout) as Secrets).secrets;
}

test("--local: the console's secret is revoked at its end, and is neither stored nor printed", async () => {
  const { ready } = await startServer(['--data', folder, '--project', 'acme'], env, (child) =>
    children.push(child),
  );
  const stored = readFileSync(join(folder, 'projects.json'), 'utf8');
  const { child, output, address } = await start('--local', '--data', folder, '--url', ready.url);
  const { origin } = new URL(address);
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { call: ask } = await consolePage(address).entered();
  const users = await ask('/projects/acme/users');
  expect(await users.json()).toMatchObject({ total: 0, result: [] });
  expect((await secretsOf('acme')).map(({ name }) => name)).toEqual(['console', undefined]);

  child.kill('SIGINT');
  // A terminal sends it to npm too, which forwards it.
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  expect(output.stdout).toContain('its secrets are revoked');
  expect(await secretsOf('acme')).toHaveLength(1);
  expect(readFileSync(join(folder, 'projects.json'), 'utf8')).toBe(stored);
  expect(output.stdout + output.stderr).not.toContain('wsk_');
});

test('a signal to npm ends the console and revokes its secret', async () => {
  const { ready } = await startServer(['--data', folder, '--project', 'acme'], env, (child) =>
    children.push(child),
  );
  const { child, output, address } = await startBy(
    'npm',
    ...['run', '-s', 'console', '--', '--local', '--data', folder, '--url', ready.url],
  );
  const { origin, port } = new URL(address);
  // Another program that used a fixed port before may have left a service worker in the browser.
  expect(Number(port)).toBeGreaterThan(1_024);
  expect(port).not.toBe('3100');
  const { call: ask } = await consolePage(address).entered();
  const users = await ask('/projects/acme/users');
  expect(users.status).toBe(200);
  expect(await secretsOf('acme')).toHaveLength(2);

  child.kill('SIGTERM');
  await expect.poll(() => output.stdout).toContain('its secrets are revoked');
  expect(await secretsOf('acme')).toHaveLength(1);
  await expect(fetch(origin)).rejects.toThrow('fetch failed');
});

test.each([
  [[], 'Pass --stack NAME or --local.'],
  [['--local', '--stack', 'a'], 'Pass --stack NAME or --local.'],
  [['--stack', 'a', '--data', 'b'], 'Pass --data and --url only together with --local.'],
  [['--local', '--port', 'x'], "--port must be a number from 0 to 65535, not 'x'."],
  [['--local', '--url', 'nowhere'], "--url must be the address of the service, not 'nowhere'."],
  [['--local', '--data', '/nowhere'], 'No service runs on the data folder /nowhere'],
])('refuses the flags %j with a reason', async (args, sentence) => {
  const { stdout, stderr, code } = await call(main, args);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr).toContain(sentence);
});

test('--help prints the usage', async () => {
  const { stdout, code } = await call(main, ['--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('npm run console -- --stack NAME | --local');
});
