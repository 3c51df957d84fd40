/**
 * @module-tag engine
 * @module-tag alone
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { chooseEngine, roomInMemory, startEngine } from '../../local/engine/engine.ts';
import { memoryFolder } from '../../local/engine/memory-folder.ts';
import { createTable } from '../../local/engine/table.ts';
import { isAlive, startGuard, startGuarded } from '../../local/process.ts';
import { newFolder } from '../support/folder.ts';
import { local } from '../support/local-calls.ts';

afterEach(() => vi.unstubAllEnvs());

async function untilGone(pid: number) {
  for (let waited = 0; isAlive(pid) && waited < 5000; waited += 20) await sleep(20);
  return !isAlive(pid);
}

test('an engine responds after its start, and its process is gone after close', async () => {
  const { endpoint, pid = 0, close } = await startEngine();
  expect(endpoint).toMatch(/^http:\/\/127\.\d+\.\d+\.\d+:\d+$/);
  expect((await fetch(endpoint)).status).toBeGreaterThan(0);
  expect(isAlive(pid)).toBe(true);
  await close();
  expect(isAlive(pid)).toBe(false);
});

test.runIf(chooseEngine() === 'dynoxide')(
  'each dynoxide process has its own loopback address, which no website can guess',
  async () => {
    const engines = await Promise.all([startEngine(), startEngine()]);
    const urls = engines.map(({ endpoint }) => new URL(endpoint));
    expect(new Set(['127.0.0.1', ...urls.map(({ hostname }) => hostname)])).toHaveProperty(
      'size',
      3,
    );
    await Promise.all(engines.map(({ close }) => close()));
  },
);

test.runIf(chooseEngine() === 'dynoxide' && memoryFolder(roomInMemory) !== undefined)(
  'in-memory data are in a deleted file in /dev/shm, which vanishes with the engine',
  async () => {
    const { pid = 0, close } = await startEngine();
    const fds = `/proc/${pid}/fd`;
    const open = await Promise.all(
      (await readdir(fds)).map((fd) => readlink(join(fds, fd)).catch(() => '')),
    );
    expect(open).toContainEqual(
      expect.stringMatching(/^\/dev\/shm\/dynoxide-\w+\/dynoxide\.db \(deleted\)$/),
    );
    await close();
  },
);

test('an existing endpoint is used, and no engine is started', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1');
  expect(await startEngine()).toMatchObject({ name: 'external', endpoint: 'http://127.0.0.1:1' });
});

test.each([
  ['new', []],
  ['of an earlier release', ['dynoxide.db', 'dynoxide.db-wal', 'dynoxide.db-shm']],
])(
  'data files that are %s are readable by their owner only, also in a folder that others can read',
  async (_, old) => {
    const folder = newFolder(onTestFinished);
    await chmod(folder, 0o755);
    if (old.length > 0) await mkdir(join(folder, 'dynamodb-local'), { mode: 0o755 });
    for (const name of old) await writeFile(join(folder, name), '', { mode: 0o644 });
    const { endpoint, close } = await startEngine(folder);
    try {
      const client = new DynamoDBClient({ endpoint, ...local });
      await createTable(client, 'private');
      client.destroy();
      const names = await readdir(folder);
      const modes = names.map(async (name) => [
        name,
        (await stat(join(folder, name))).mode & 0o077,
      ]);
      const inUse = chooseEngine() === 'dynoxide' ? 'dynoxide.db' : 'dynamodb-local';
      expect(names).toContain(inUse);
      const found = (await Promise.all(modes)).filter(([name]) => String(name).startsWith(inUse));
      expect(found).toEqual(
        names.filter((name) => name.startsWith(inUse)).map((name) => [name, 0]),
      );
    } finally {
      await close();
    }
  },
);

test('an engine that cannot use its data reports why', async () => {
  await expect(startEngine('/dev/null')).rejects.toThrow(
    /^The DynamoDB engine \S+ did not start: |ENOTDIR/,
  );
});

describe('choosing an engine', () => {
  const on = (platform: string, arch: string) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform);
    vi.spyOn(process, 'arch', 'get').mockReturnValue(arch as NodeJS.Architecture);
  };
  afterEach(() => vi.restoreAllMocks());

  test('fails with instructions where no engine can run', () => {
    vi.stubEnv('PATH', '/nowhere');
    vi.stubEnv('DYNAMODB_ENGINE', '');
    on('darwin', 'arm64');
    expect(() => chooseEngine()).toThrow(
      /^There is no DynamoDB engine for this machine \(darwin arm64\): .* Install Java, or give/,
    );
  });

  test('requires Java for DynamoDB Local, and says so', () => {
    vi.stubEnv('PATH', '/nowhere');
    vi.stubEnv('DYNAMODB_ENGINE', 'dynamodb-local');
    expect(() => chooseEngine()).toThrow("'dynamodb-local', which needs Java 17 or later");
  });

  test('refuses an unknown name', () => {
    vi.stubEnv('DYNAMODB_ENGINE', 'sqlite');
    expect(() => chooseEngine()).toThrow("DYNAMODB_ENGINE is 'sqlite'; it must be");
  });
});

describe('a guarded process', () => {
  const script = `
    const { startGuarded } = await import(${JSON.stringify(join(import.meta.dirname, '../../local/process.ts'))});
    const { pid } = await startGuarded(['sleep', '60']);
    process.stdout.write(String(pid));
    setInterval(() => {}, 1000);`;

  test.each(['SIGKILL', 'SIGTERM'] as const)('ends when its parent gets %s', async (signal) => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill(signal);
    expect(await untilGone(pid)).toBe(true);
  });

  test('reports the last output of its process', async () => {
    const child = await startGuarded(['sh', '-c', 'echo no such thing >&2; exit 3']);
    await child.gone;
    await expect.poll(() => child.ended()).toBe('no such thing');
    await child.close();
  });

  test('that is killed before it has begun is reported, and not waited for', async () => {
    const child = await startGuard(['/bin/sh', '-c', 'echo out of memory >&2; kill -9 $$']);
    await expect.poll(() => child.ended()).toBe('out of memory');
    await child.close();
  });

  test('is killed on close even if it ignores SIGTERM', async () => {
    const child = await startGuarded(['sh', '-c', 'trap "" TERM; while true; do sleep 0.1; done']);
    await sleep(50);
    await child.close();
    expect(isAlive(child.pid)).toBe(false);
  });
});
