import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const root = join(import.meta.dirname, '../..');

/** Runs a script as a process of its own, as an npm script does, in an environment without any account. */
export async function run(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const nobody = {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...Object.fromEntries(own), ...nobody, ...env },
    stdio: 'pipe',
  });
  // One that does not read its input may be gone before it is written.
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { stdout, stderr, code };
}
