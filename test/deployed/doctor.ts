import { deepEqual, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackName } from './assembly.ts';
import type { Checks } from './checks.ts';

/** The doctor on the deployed stack: it reports exactly the actual findings. */
export async function doctor(checks: Checks, settings: string): Promise<void> {
  await checks.check('npm run doctor finds that only the protection is missing', async () => {
    const report = await reportOf(settings);
    const wrong = [...report.matchAll(/^wrong +(.+?) {2}/gm)].map(([, check]) => check);
    // Only a stack of the stage dev may lack it.
    deepEqual(wrong, ['protection'], report);
    match(report, /^ok +round trip /m);
    match(report, /^ok +signing key /m);
  });
}

/** Its output. It exits with 1 if it finds a problem. */
async function reportOf(settings: string): Promise<string> {
  const args = ['run', '--silent', 'doctor', '--', '--stack', stackName];
  const options = {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, CONFIG_DIR: settings },
  };
  try {
    return (await promisify(execFile)('npm', args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return stdout || stderr;
  }
}
