import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { type Command, runCommand } from '../../bin/flags.ts';

export const root = join(import.meta.dirname, '../..');

/** The environment of an operator without an AWS account. */
const nobody = {
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};

/** Runs a script in a separate process, as an npm script does, in an environment without any account. */
export async function run(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...Object.fromEntries(own), ...nobody, ...env },
    stdio: 'pipe',
  });
  // A script that does not read its input may have exited before it is written.
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { stdout, stderr, code };
}

/**
 * Runs a command in this process, which saves the start of another one. Returns its output and exit code. AWS clients
 * read the environment of the process, so commands that call AWS must use `run` or `callOnAws`.
 */
export async function call(
  main: Command,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const output = { stdout: '', stderr: '' };
  const terminal = {
    env,
    stdin: Readable.from([input]),
    stdout: { write: (said: string) => (output.stdout += said) },
    stderr: { write: (said: string) => (output.stderr += said) },
    exitCode: 0,
  };
  await runCommand(main, args, terminal);
  return { ...output, code: terminal.exitCode };
}

/** The environment of an operator whose AWS is a server of this machine. */
export const accountAt = (endpoint: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
});

/** As `call`, with all AWS clients in this process directed to one address. */
export async function callOnAws(
  address: string,
  main: Command,
  args: string[],
  given: { input?: string } = {},
) {
  for (const [name, value] of Object.entries({ ...nobody, ...accountAt(address) }))
    vi.stubEnv(name, value);
  try {
    return await call(main, args, given);
  } finally {
    vi.unstubAllEnvs();
  }
}
