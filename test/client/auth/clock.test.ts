import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import type { Device } from './device.ts';

const world = await startWorld();
const ours = await signInProject(world);

test.each([
  ['right', 0],
  ['an hour fast', 3_600_000],
  ['an hour slow', -3_600_000],
])('a device whose clock is %s refreshes its tokens as often as any other', async (name, wrong) => {
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  await ours.signUp(email);
  const { url } = world;
  const workerData: Device = {
    ...{ url, projectId: ours.project_id, email, password: goodPassword, wrong },
  };
  const device = new Worker(new URL('device.ts', import.meta.url), { workerData });
  const [refreshes] = (await once(device, 'message')) as unknown[];
  await device.terminate();
  expect(refreshes).toEqual({ atFirst: 0, later: 1, slept: 2, awake: 3, setBack: 3 });
});
