import { existsSync, statSync } from 'node:fs';
import { link, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../shared/model/message-of.ts';
import { StartFailure } from '../failure.ts';
import { Corrupt, readJson, writeJson } from '../file.ts';
import { commandLine, end, isAlive } from '../process.ts';
import { chooseEngine, type Engine, startEngine } from './engine.ts';

/** The process that uses the data folder, and the endpoint of its engine. */
const lockRecord = z.object({
  pid: z.int(),
  /** Its command line, because a process id may be reused by another program. */
  command: z.string(),
  engine: z.object({ endpoint: z.string(), pid: z.int().optional() }).optional(),
});
type Lock = z.output<typeof lockRecord>;

/** One engine cannot read the database of another. */
const madeBy = z.strictObject({ engine: z.string() });

export type Data = {
  engine: Engine;
  /** A file of the folder; undefined if all data is in memory. */
  file(name: string): string | undefined;
  close(): Promise<void>;
};

/**
 * Starts an engine on a data folder that no other process uses, or in memory. Ends an engine left behind by a killed
 * server first. Throws a `StartFailure` for a folder that is in use or cannot be read.
 */
export async function openData(folder: string | undefined): Promise<Data> {
  if (folder === undefined) {
    const engine = await startEngine();
    return { engine, file: () => undefined, close: () => engine.close() };
  }
  const path = await createFolder(resolve(folder)).catch((error: unknown) => {
    throw new StartFailure(
      `The data folder ${resolve(folder)} cannot be used: ${messageOf(error)}. Choose another one with --data.`,
    );
  });
  await acquire(path);
  const release = () => rm(lockOf(path), { force: true });
  try {
    await claim(path);
    const engine = await startEngine(path);
    const { endpoint, pid } = engine;
    await writeJson(lockOf(path), { ...self(), engine: { endpoint, pid } } satisfies Lock);
    return {
      engine,
      file: (name) => join(path, name),
      async close() {
        await engine.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw unusable(path, error);
  }
}

/** The engine of the server that currently uses the folder, if any. */
export async function engineInUse(folder: string): Promise<string | undefined> {
  const path = await realpath(folder).catch(() => resolve(folder));
  const lock = await readLock(path).catch(() => undefined);
  return lock && isHeld(lock, path) ? lock.engine?.endpoint : undefined;
}

/** Its one path without symbolic links, by which every process recognises the engine that uses it. */
async function createFolder(path: string): Promise<string> {
  await makeWithParents(path);
  return realpath(path);
}

/** Node's own recursive `mkdir` never ends where a system finds no folder that it does not let be made, as in /proc. */
async function makeWithParents(path: string): Promise<void> {
  const parent = dirname(path);
  if (!existsSync(parent)) await makeWithParents(parent);
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  });
}

/** The error for data that cannot be used. */
export function unusable(folder: string, error: unknown): StartFailure {
  if (error instanceof InUse) return error;
  const why = messageOf(error).replace(/\.+$/, '');
  return new StartFailure(
    `The data folder ${folder} cannot be used: ${why}. ` +
      'Move it away or delete it to start with an empty one.',
  );
}

class InUse extends StartFailure {}

const lockOf = (path: string) => join(path, 'lock.json');
const self = (): Lock => ({ pid: process.pid, command: commandLine(process.pid) });

async function acquire(path: string): Promise<void> {
  const mine = `${lockOf(path)}.${process.pid}`;
  try {
    await writeJson(mine, self());
    for (;;) {
      try {
        // Linking creates the lock with its content atomically, for only one of several processes.
        await link(mine, lockOf(path));
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const lock = await readLock(path);
      if (lock && isHeld(lock, path)) {
        throw new InUse(
          `The data folder ${path} is in use by process ${lock.pid}. ` +
            'Stop that one, or choose another folder with --data or none with --memory.',
        );
      }
      if (lock?.engine?.pid && isEngineOf(lock.engine.pid, path)) await end(lock.engine.pid);
      await rm(lockOf(path), { force: true });
    }
  } catch (error) {
    throw unusable(path, error);
  } finally {
    await rm(mine, { force: true });
  }
}

/**
 * Reads the lock. A corrupt lock counts as none: a live process has a complete one, so it is left from a power failure.
 */
function readLock(path: string): Promise<Lock | undefined> {
  return readJson(lockOf(path), lockRecord).catch((error: unknown) => {
    if (error instanceof Corrupt) return undefined;
    throw error;
  });
}

function isHeld({ pid, command, engine }: Lock, path: string): boolean {
  if (pid === process.pid || !isAlive(pid) || commandLine(pid) !== command) return false;
  // A restarted container reuses the process id with the same command; the engine shows whether it is the same process.
  return engine?.pid === undefined || isEngineOf(engine.pid, path);
}

function isEngineOf(pid: number, path: string): boolean {
  return isAlive(pid) && commandLine(pid).includes(path);
}

/** Records the engine that created the data, and rejects data of another engine. */
async function claim(path: string): Promise<void> {
  const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ? 'external' : chooseEngine();
  const file = join(path, 'made-by.json');
  const made = await readJson(file, madeBy);
  if (made === undefined) return writeJson(file, { engine });
  if (made.engine !== engine) {
    throw new StartFailure(`it was created with the engine ${made.engine}, not with ${engine}`);
  }
}
