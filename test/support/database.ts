import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { startEngine } from '../../local/engine/engine.ts';

export type Database = {
  endpoint: string;
  /** Selects the database: DynamoDB Local keeps one for each access key. */
  accessKeyId: string;
};

let database: Promise<Database> | undefined;

/**
 * A database for this test file alone, so that files do not slow each other down: both engines keep every stream record
 * while they run, and each write gets slower with their number.
 *
 * dynoxide starts fast, so each file has its own. Amazon's DynamoDB Local takes seconds to start, but keeps a database
 * for every access key.
 */
export function ownDatabase(): Promise<Database> {
  database ??= open();
  return database;
}

/** A new database if the engine keeps one for every access key; else that of the worker. */
export const freshDatabase = (): Promise<Database> =>
  inject('engineName') === 'dynoxide' ? ownDatabase() : open();

async function open(): Promise<Database> {
  // DynamoDB Local accepts only letters and digits.
  const accessKeyId = `local${randomUUID().replaceAll('-', '')}`;
  if (inject('engineName') !== 'dynoxide') return { endpoint: inject('engine'), accessKeyId };
  // Only a database on disk can have the index that keeps it fast.
  const folder = await mkdtemp(join(inject('databases'), 'dynoxide-'));
  const engine = await startEngine(folder);
  // The engine of a worker that runs file after file, or of a hook, ends with the process; its data is deleted at the
  // end of the run.
  if (inject('shared')) return { endpoint: engine.endpoint, accessKeyId };
  try {
    afterAll(async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    });
  } catch {}
  return { endpoint: engine.endpoint, accessKeyId };
}
