import { ownFaultyEngine } from './faults.ts';
import { startWorld } from './world.ts';

/**
 * Gives a test file the whole service, behind an engine that can fail. Called at the top of a file, it ends by itself.
 */
export async function startFaultyWorld() {
  const faults = await ownFaultyEngine();
  return { faults, world: await startWorld({ endpoint: faults.url }) };
}
