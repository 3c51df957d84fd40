import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../shared/model/message-of.ts';
import { StartFailure } from '../failure.ts';
import { type Guarded, startGuard } from '../process.ts';

const run = promisify(execFile);
const guard = join(import.meta.dirname, 'dynamodb-local-guard.ts');

/** An npm package that contains an older version of Amazon's jar; pinned by the hash of its archive. */
const fallback = {
  package: 'amplify-dynamodb-simulator@2.9.30',
  version: '1.25.1',
  sha512:
    'xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==',
};

/** Whether a Java runtime that can run the jar is on the PATH. */
export function hasJava(): boolean {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  return status === 0 && Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= 17;
}

/**
 * Starts Amazon's DynamoDB Local, which needs Java: check `hasJava` first. It ends with this process, even after a
 * crash or `kill -9`.
 * @param folder keeps the data; in memory without it.
 * @param shared one database for every caller; otherwise one for each access key.
 */
export async function startDynamodbLocal(
  port: number,
  folder: string | undefined,
  shared: boolean,
): Promise<Guarded> {
  const installPath = await installDynamodbLocal();
  const dbPath = folder === undefined ? '' : join(folder, 'dynamodb-local');
  if (dbPath) {
    await mkdir(dbPath, { recursive: true, mode: 0o700 });
    // An earlier release created it in a folder that others may read. Fails on a file system without modes.
    await chmod(dbPath, 0o700).catch(() => {});
  }
  const options = [...(shared ? ['-sharedDb'] : []), '-disableTelemetry'];
  return startGuard([process.execPath, guard, installPath, `${port}`, dbPath, ...options]);
}

/**
 * The folder with `DynamoDBLocal.jar`. The first call on a machine downloads it into the user's cache: Amazon's current
 * version, or an older one from npm if only npm is reachable.
 */
async function installDynamodbLocal(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const parent = join(cache, 'identity-workspace-service');
  const [current, older] = ['dynamodb-local', `dynamodb-local-${fallback.version}`];
  const folder = [current, older].map((name) => join(parent, name)).find(hasJar);
  if (folder !== undefined) return folder;
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, 'unpacking-'));
  try {
    return await download(scratch).then(
      (unpacked) => moveTo(join(parent, current), unpacked),
      async () => moveTo(join(parent, older), await downloadFromNpm(scratch)),
    );
  } catch (error) {
    throw new StartFailure(`Amazon's DynamoDB Local could not be installed: ${messageOf(error)}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const hasJar = (folder: string): boolean => existsSync(join(folder, 'DynamoDBLocal.jar'));

/** Lets the package download and unpack the engine. Printing its usage is the shortest possible launch. */
async function download(scratch: string): Promise<string> {
  const unpacked = join(scratch, 'current');
  await run(process.execPath, [guard, unpacked, '0', '', '-help'], { timeout: 120_000 });
  return unpacked;
}

async function downloadFromNpm(scratch: string): Promise<string> {
  await run('npm', ['pack', fallback.package, '--pack-destination', scratch], { cwd: scratch });
  const archive = join(scratch, `${fallback.package.replace('@', '-')}.tgz`);
  const hash = createHash('sha512').update(await readFile(archive));
  if (hash.digest('base64') !== fallback.sha512) throw new Error('the archive has another hash');
  await run('tar', ['-xzf', archive, '-C', scratch]);
  return join(scratch, 'package', 'emulator');
}

/** If several processes install at once, the first rename wins for all. */
async function moveTo(installed: string, unpacked: string): Promise<string> {
  await rename(unpacked, installed).catch((error: unknown) => {
    if (!hasJar(installed)) throw error;
  });
  return installed;
}
