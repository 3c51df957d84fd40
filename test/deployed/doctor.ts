import { deepEqual, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackName } from './assembly.ts';
import type { Checks } from './checks.ts';

/** The doctor, on the deployed stack: it finds what is so, and nothing that is not. */
export async function doctor(checks: Checks, settings: string): Promise<void> {
  await checks.check('npm run doctor finds that only the protection is missing', async () => {
    const report = await told(settings);
    const wrong = [...report.matchAll(/^wrong +(.+?) {2}/gm)].map(([, check]) => check);
    // Only in the stage dev may a stack be without it.
    deepEqual(wrong, ['protection'], report);
    match(report, /^ok +round trip /m);
    match(report, /^ok +signing key /m);
  });
}

/** What it prints. It ends with 1 where something is wrong. */
async function told(settings: string): Promise<string> {
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
