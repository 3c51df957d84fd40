import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { startEngine } from '../../local/engine/engine.ts';

export type Database = {
  endpoint: string;
  /** Whoever calls with it sees this database and no other. */
  accessKeyId: string;
};

let database: Promise<Database> | undefined;

/**
 * A database of this test file alone: what one file writes costs no other file time. Both engines keep every stream
 * record for as long as they run, and each write passes by them.
 *
 * dynoxide is so light that the file gets one to itself. Amazon's DynamoDB Local, which takes seconds to start, keeps
 * a database for every access key.
 */
export function ownDatabase(): Promise<Database> {
  database ??= open();
  return database;
}

/**
 * A database without a record of other files, if the engine keeps one for every access key: else that of the worker.
 */
export const freshDatabase = (): Promise<Database> =>
  inject('engineName') === 'dynoxide' ? ownDatabase() : open();

async function open(): Promise<Database> {
  // Letters and digits only, or DynamoDB Local refuses it.
  const accessKeyId = `local${randomUUID().replaceAll('-', '')}`;
  if (inject('engineName') !== 'dynoxide') return { endpoint: inject('engine'), accessKeyId };
  // On a file it can have the index that keeps it fast.
  const folder = await mkdtemp(join(inject('databases'), 'dynoxide-'));
  const engine = await startEngine(folder);
  // Of a worker that runs file after file it ends with the process, and so it does within a hook; its data ends with
  // the run.
  if (inject('shared')) return { endpoint: engine.endpoint, accessKeyId };
  try {
    afterAll(async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    });
  } catch {}
  return { endpoint: engine.endpoint, accessKeyId };
}
