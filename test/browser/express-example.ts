import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Installs examples/express with the package that `npm run client` builds, and starts it. */
export async function startExpressExample(env: Record<string, string>): Promise<void> {
  await promisify(execFile)('npm', ['run', '-s', 'client'], { cwd: root });
  // Inside this project, so that Node finds Express.
  const folder = join(root, 'dist/examples/express');
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, 'examples/express'), folder, { recursive: true });
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(join(root, 'dist/client'), join(folder, 'node_modules/identity-workspace-client'));
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterAll(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  await once(child.stdout, 'data');
}
