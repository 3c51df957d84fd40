import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../local/loopback.ts';
import type { Source } from './http.ts';
import { type Server, startServer } from './service-process.ts';

/** The amounts that a peer seeds, equal to those of the service. */
export type Size = { people: number; own: number; crowds: number };

/** The requests of a peer that correspond to those of a scenario, by the scenario's name. */
export type Peer = Server & { name: string; sources: Record<string, Source> };

type Seeded = { tokens: string[]; uids: string[]; big: string; empty: string[] };

const run = promisify(execFile);
const installed = existsSync(new URL('peers/node_modules/better-auth', import.meta.url));
/** Debian's folder for PostgreSQL. */
const postgresql = ['15', '16', '17', '18']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((path) => existsSync(path));

/** Starts better-auth on each database that this machine has. None if it is not installed. */
export async function startPeers(size: Size, cleanUp: AsyncDisposableStack): Promise<Peer[]> {
  if (!installed) return [];
  const folder = await mkdtemp(join(tmpdir(), 'bench-peers-'));
  cleanUp.defer(() => rm(folder, { recursive: true }));
  const peers = [cleanUp.use(await start('SQLite', ['sqlite', join(folder, 'peer.db')], size))];
  if (postgresql) {
    const url = await startPostgresql(postgresql, cleanUp);
    peers.push(cleanUp.use(await start('PostgreSQL', ['postgresql', url], size)));
  }
  return peers;
}

async function start(name: string, where: string[], size: Size): Promise<Peer> {
  const args = [...where, ...[size.people, size.own, size.crowds].map(String)];
  const server = await startServer<Seeded>('peers/better-auth.js', { args });
  const { tokens, uids, big, empty } = server.ready;
  const authorization = `Bearer ${tokens[0]}`;
  const api = (method: string, path: string, body?: object) => ({
    method,
    path: `/api/auth/${path}`,
    authorization,
    ...(body && { body }),
  });
  const members = (limit: number) => () =>
    api('GET', `organization/list-members?organizationId=${big}&limit=${limit}`);
  let created = 0;
  let added = 0;
  return {
    ...server,
    name,
    sources: {
      me: () => api('GET', 'get-session'),
      list: () => api('GET', 'organization/list'),
      'members 20': members(20),
      'members 100': members(100),
      create: () => api('POST', 'organization/create', { name: 'Bench', slug: `s-${created++}` }),
      add: () => {
        const organizationId = empty[added % empty.length];
        const userId = uids[1 + Math.floor(added++ / empty.length)];
        const body = { organizationId, userId, role: 'member' };
        return { method: 'POST', path: '/add', body };
      },
      refresh: () => api('GET', 'get-session'),
    },
  };
}

/**
 * Starts a server with an empty cluster. Runs as `postgres` if we are root, because PostgreSQL refuses to run as root.
 */
async function startPostgresql(bin: string, cleanUp: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgresql-'));
  cleanUp.defer(() => rm(folder, { recursive: true }));
  const data = join(folder, 'data');
  const as = process.getuid?.() === 0 ? await numbersOf('postgres') : undefined;
  if (as) await chown(folder, as.uid, as.gid);
  await run(`${bin}/initdb`, ['-D', data, '-U', 'bench', '--auth=trust'], { ...as, cwd: folder });
  const port = await freePort();
  const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  const server = spawn(`${bin}/postgres`, options, { ...as, cwd: folder, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  cleanUp.defer(async () => {
    server.kill('SIGINT');
    await ended;
  });
  const ready = ['-h', '127.0.0.1', '-p', String(port)];
  for (let i = 0; i < 100; i += 1) {
    const isUp = await run(`${bin}/pg_isready`, ready).then(
      () => true,
      () => false,
    );
    if (isUp) return `postgresql://bench@127.0.0.1:${port}/postgres`;
    await sleep(100);
  }
  throw new Error('PostgreSQL did not start within 10 s');
}

async function numbersOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, user])).stdout)),
  );
  return { uid: uid ?? NaN, gid: gid ?? NaN };
}
