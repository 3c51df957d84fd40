import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const cli = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');

/** Runs the CDK's command line in the project's folder, with its cdk.json. If it fails, throws its output. */
export const cdk = (...args: string[]): Promise<string> =>
  run(process.execPath, [cli, ...args], root);

/** Runs it in another folder, where it finds no app. */
export const cdkWithoutApp = (folder: string, ...args: string[]): Promise<string> =>
  run(process.execPath, [cli, ...args], folder);

/** Runs a script of package.json, as an operator does. */
export const npm = (script: string, ...args: string[]): Promise<string> =>
  run('npm', ['run', '--silent', script, '--', ...args], root);

/** Runs a script with this standard input. */
export const npmGiven = (input: string, script: string, ...args: string[]) =>
  run('npm', ['run', '--silent', script, '--', ...args], root, {}, input);

/** Runs a script with additional environment variables. */
export const npmWith = (env: NodeJS.ProcessEnv, script: string, ...args: string[]) =>
  run('npm', ['run', '--silent', script, '--', ...args], root, env);

/** Runs a test file with additional environment variables. */
export const runTest = (file: string, environment: Record<string, string>): Promise<string> =>
  run('npx', ['--no-install', 'vitest', 'run', '--project=browser-*', file], root, environment);

/** Running processes, so that they end with this one. */
const running = new AbortController();
export const endCommands = (): void => running.abort();

async function run(
  command: string,
  args: string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<string> {
  try {
    const ending = promisify(execFile)(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
      signal: running.signal,
    });
    ending.child.stdin?.end(input);
    return (await ending).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const words = `${stdout}\n${stderr}`.trim().split('\n').slice(-40).join('\n');
    throw new Error(`${args.slice(0, 4).join(' ')} failed:\n${words}`, { cause: error });
  }
}
