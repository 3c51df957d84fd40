import { vi } from 'vitest';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { keys } from '../../../shared/db/keys.ts';
import { queued } from '../queued.ts';
import { streamRecord } from '../stream-record.ts';
import type { World } from '../world.ts';

/** Makes work continue in another message group: a deletion that waits until the index shows a membership. */
export async function useContinuation(world: World): Promise<void> {
  const { uid } = await world.user();
  await world.table.update(keys.user(uid), { workspace_count: 1 });
  await world.drainStream();
  const patient_until = Date.now() / 1_000 + 86_400;
  await world.table.update(keys.user(uid), { deleted_at: 'now', patient_until });
  const drained = world.drainStream();
  const continues = () => world.permissions.used.get('stream.consume')?.has('send:changes');
  await vi.waitUntil(continues, { timeout: 20_000 });
  await world.table.update(keys.user(uid), { patient_until: 0 });
  await drained;
}

/**
 * Makes a change that its queue can never accept: a group of messages has no spaces. And one of a user whose copy in a
 * membership would be larger than an item may be.
 */
export async function useDeadLetters(world: World): Promise<void> {
  await world.table.put({ ...keys.user('nobody'), project_id: 'no group' });
  await world.drainStream();
  const { owner } = await world.workspace();
  const before = (await world.table.get(keys.user(owner.uid))) ?? {};
  const after = { ...before, version: 99, about_me: 'x'.repeat(410_000) };
  const record = streamRecord({ before, after });
  const handler = await fromSource('stream.consume');
  await invoke('stream.consume', handler, queued([record]), 60_000);
}
