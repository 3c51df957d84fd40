import { ownFaultyEngine } from './faults.ts';
import { startWorld } from './world.ts';

/** Starts the whole service with an engine that can fail. Called at the top of a test file; it stops itself. */
export async function startFaultyWorld() {
  const faults = await ownFaultyEngine();
  return { faults, world: await startWorld({ endpoint: faults.url }) };
}
