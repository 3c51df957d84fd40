import { expect, test } from 'vitest';
import { expectInvalid, expectProblem, unknownId } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { members } = world.as(project);

/** A JSON object of exactly so many bytes. */
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - JSON.stringify({ a: '' }).length) });

test('app_metadata has at most 1 KB, also once merged; {} and null clear it; 404 for a user who is not a member', async () => {
  const { workspace_id, owner } = await world.workspace();
  const of = { workspace_id, user_id: owner.uid };
  const { status } = await members.setMetadata({ ...of, app_metadata: ofBytes(1_024) });
  expect(status).toBe(200);
  const large = { ...of, app_metadata: ofBytes(1_025) };
  expectInvalid(await members.setMetadata(large), '/body/app_metadata');
  const merged = await members.mergeMetadata({ ...of, app_metadata: { b: 1 } });
  expectInvalid(merged, '/body/app_metadata');
  for (const clear of [
    () => members.setMetadata({ ...of, app_metadata: {} }),
    () => members.mergeMetadata({ ...of, app_metadata: null }),
  ]) {
    await members.setMetadata({ ...of, app_metadata: { a: 1 } });
    expect((await clear()).body).not.toHaveProperty('app_metadata');
    expect((await members.get(of)).body).not.toHaveProperty('app_metadata');
  }
  const missing = { workspace_id, user_id: unknownId, app_metadata: { a: 1 } };
  expectProblem(await members.setMetadata(missing), 'not_found');
});
