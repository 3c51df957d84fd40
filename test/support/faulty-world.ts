import { afterAll, beforeEach, inject } from 'vitest';
import { type FaultyEngine, startFaultyEngine } from './faults.ts';
import { startWorld } from './world.ts';

let shared: Promise<FaultyEngine> | undefined;

/**
 * Gives a test file the whole service, behind an engine that can fail, and a project of its own in it. Called at the top
 * of a file, it ends by itself; each test begins with no call and no fault. A worker that runs file after file starts
 * both once.
 */
export async function startFaultyWorld() {
  const isShared = inject('shared');
  const faults = await (isShared ? (shared ??= startFaultyEngine()) : startFaultyEngine());
  faults.reset();
  const world = await startWorld({ endpoint: faults.url });
  beforeEach(() => faults.reset());
  if (!isShared) afterAll(faults.close);
  return { faults, world };
}
