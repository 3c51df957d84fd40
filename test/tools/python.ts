import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The missing prerequisite of a Python tool, as a sentence for the user. */
export class Missing extends Error {
  override readonly name = 'Missing';
}

/** Runs a tool to its exit code: 2 where a prerequisite is missing, which it says. */
export async function runTool(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/**
 * Returns the Python of a virtual environment with the packages of a requirements file. The first call on a machine
 * installs it into the user's cache folder, in 10 to 20 seconds; the pinned versions name the folder. Its commands are
 * modules (`-m`): the folder moves once, after which their scripts would not find it. Throws `Missing` without Python
 * or PyPI.
 */
export async function pythonWith(requirements: string): Promise<string> {
  const version = await pythonVersion();
  const pins = await readFile(requirements, 'utf8');
  const hash = createHash('sha256').update(`${version}\n${pins}`).digest('hex').slice(0, 16);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const parent = join(cache, 'identity-workspace-service');
  const folder = join(parent, `python-${hash}`);
  if (!existsSync(folder)) await install(requirements, parent, folder);
  return join(folder, 'bin/python');
}

async function pythonVersion(): Promise<string> {
  const program =
    'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 10))';
  try {
    const { stdout } = await run('python3', ['-c', program]);
    return stdout.trim();
  } catch {
    throw new Missing(
      'This needs python3, 3.10 or newer, with venv (Debian: apt-get install python3-venv).',
    );
  }
}

/** A folder gets its name only when it is complete, so that a killed installation is not used. */
async function install(requirements: string, parent: string, folder: string): Promise<void> {
  await mkdir(parent, { recursive: true });
  const made = await mkdtemp(join(parent, 'installing-'));
  try {
    await run('python3', ['-m', 'venv', made]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    await run(join(made, 'bin/python'), [...pip, '--requirement', requirements]);
    // Another run may have been faster.
    if (!existsSync(folder)) await rename(made, folder);
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    throw new Missing(`What this needs could not be installed from PyPI: ${words}`);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
