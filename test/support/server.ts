import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What `npm start -- --json` prints. */
export type Ready = { url: string; projects: { project_id: string; secret: string }[] };

const root = join(import.meta.dirname, '../..');

/** Runs the command of `npm start` as a child process, without npm. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['local/serve.ts', ...args], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
  const exit = once(child, 'exit').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, exit, output };
}

/**
 * Runs it on a free port and waits until it reports that it accepts requests. `begun` receives the process before that.
 */
export async function serve(
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
  begun: (child: ChildProcess) => void = () => {},
) {
  const { child, exit, output } = run(['--json', '--port', '0', ...args], env);
  begun(child);
  const ended = exit.then(({ stderr }) => Promise.reject(new Error(stderr)));
  while (!output.stdout.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
  return { child, exit, output, ready: JSON.parse(output.stdout) as Ready };
}

/** The process id of its background functions. */
export function backgroundPid({ pid }: ChildProcess): number {
  const processes = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const found = new RegExp(`^\\s*(\\d+)\\s+${pid}\\s.*background\\.ts$`, 'm').exec(processes);
  return Number(found?.[1]);
}

/** Posts as the backend of the first project. */
export async function post({ url, projects }: Ready, path: string, body: object) {
  const [{ project_id, secret } = { project_id: '', secret: '' }] = projects;
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${project_id}:${secret}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { uid: string } };
}

export const createUser = (ready: Ready, email = 'ada@example.com') =>
  post(ready, '/users', { email });
