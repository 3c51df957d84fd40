import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mail } from '../../local/aws/ses.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { caller } from '../support/call.ts';
import releases from './releases.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const needed = ['functions', 'shared', 'lib', 'local', 'docs', 'package.json'];

export type Release = (typeof releases)[keyof typeof releases];

/** Why the releases cannot be had here; undefined where they can. */
export function missing(): string | undefined {
  for (const release of Object.values(releases))
    try {
      git('cat-file', '-e', `${release.commit}^{commit}`);
    } catch {
      return `there is no git here, or no commit ${release.commit} (${release.version}) in its history`;
    }
  return undefined;
}

export type Version = Awaited<ReturnType<typeof startVersions>>['before'];

/**
 * Starts an earlier release and today's code as two processes on one engine, table, keys and base URL, as they are
 * for a minute while a deployment rolls. Each also follows the whole stream, so each change is worked off by both.
 */
export async function startVersions(release: Release) {
  const scratch = mkdtempSync(join(tmpdir(), 'rolling-'));
  const children: ChildProcess[] = [];
  const close = async () => {
    for (const child of children.filter(({ exitCode }) => exitCode === null)) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await engine.close();
    rmSync(scratch, { recursive: true, force: true });
  };
  const engine = await startEngine();
  try {
    const source = join(scratch, 'source');
    unpack(source, release.commit);
    const start = async (name: string, folder: string) => {
      const data = join(scratch, `data-${name}`);
      const { child, ready } = await serve(folder, data, engine.endpoint);
      children.push(child);
      return version(name, ready);
    };
    const before = await start(release.version, source);
    // Secrets Manager is one: signing keys, mail key, webhook key, and here the project's secret too.
    mkdirSync(join(scratch, 'data-today'));
    for (const file of ['secret.json', 'projects.json'])
      cpSync(join(scratch, `data-${release.version}`, file), join(scratch, 'data-today', file));
    const today = await start('today', root);
    return { before, today, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A release in a folder: outside of any `node_modules`, where Node runs no TypeScript. */
function unpack(folder: string, commit: string): void {
  mkdirSync(folder);
  const archive = join(folder, 'source.tar');
  git('archive', '--output', archive, commit, ...needed);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: root, stdio: 'pipe' });
}

type Ready = { url: string; projects: { project_id: string; secret: string }[] };

async function serve(folder: string, data: string, engine: string) {
  const preload = join(import.meta.dirname, 'one-address.ts');
  const args = ['local/serve.ts', '--json', '--port', '0', '--data', data];
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      LOG_LEVEL: 'info',
      AWS_ENDPOINT_URL_DYNAMODB: engine,
      ROLLING_BASE_URL: 'http://localhost:3000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  const exit = once(child, 'exit');
  while (!output.out.includes('\n')) {
    await Promise.race([once(child.stdout, 'data'), exit]);
    if (child.exitCode !== null) throw new Error(`${folder} did not start: ${output.err}`);
  }
  return { child, ready: { ...(JSON.parse(output.out) as Ready), errors: () => output.err } };
}

function version(name: string, { url, projects, errors }: Ready & { errors(): string }) {
  const { project_id = '', secret = '' } = projects[0] ?? {};
  const basic = `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
  const call = caller(url);
  return {
    name,
    call,
    project_id,
    basic,
    /** What it logged: failures of ours, and what it could not work off. */
    errors: () =>
      errors()
        .split('\n')
        .filter((line) => !/^(?:$|\{"level":"info"|The engine is the one at)/.test(line)),
    mails: async () => (await call<Mail[]>('GET', '/_local/mail.json')).body,
  };
}

/** Asks until there is an answer, for what follows the stream; ten seconds at most. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined>,
): Promise<NonNullable<T>> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await ask();
    if (answer !== undefined && answer !== null) return answer;
    await sleep(50);
  }
  throw new Error(`This did not come within 10 s: ${what}.`);
}
