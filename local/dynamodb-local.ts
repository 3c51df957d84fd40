import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, StartFailure } from './failure.ts';

/** The npm package that carries Amazon's jar; pinned by the hash of its archive. */
const source = {
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

/** The folder with `DynamoDBLocal.jar`; the first call on a machine fetches it through npm into the user's cache. */
export async function installDynamodbLocal(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const parent = join(cache, 'identity-workspace-service');
  const installed = join(parent, `dynamodb-local-${source.version}`);
  if (existsSync(join(installed, 'DynamoDBLocal.jar'))) return installed;
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, 'unpacking-'));
  try {
    const run = promisify(execFile);
    await run('npm', ['pack', source.package, '--pack-destination', scratch], { cwd: scratch });
    const archive = join(scratch, `${source.package.replace('@', '-')}.tgz`);
    const hash = createHash('sha512').update(await readFile(archive));
    if (hash.digest('base64') !== source.sha512) throw new Error('the archive has another hash');
    await run('tar', ['-xzf', archive, '-C', scratch]);
    // Whoever renames first has installed it for everyone; the others find it there.
    await rename(join(scratch, 'package', 'emulator'), installed).catch((error: unknown) => {
      if (!existsSync(join(installed, 'DynamoDBLocal.jar'))) throw error;
    });
    return installed;
  } catch (error) {
    throw new StartFailure(`Amazon's DynamoDB Local could not be installed: ${messageOf(error)}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
