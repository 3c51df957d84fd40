import { expect, test } from 'vitest';
import { aTime } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;

test('200 returns the receipt, with completed_at once the job is done', async () => {
  const { uid } = await world.user();
  await as(project).users.delete({ uid });
  const receipt = { uid, project_id: project.project_id, deleted_at: aTime() };
  expect(await as(project).users.getDeletion({ uid })).toMatchObject({
    status: 200,
    body: receipt,
  });
  await world.drainStream();
  const { body } = await as(project).users.getDeletion({ uid });
  expect(body).toEqual({ ...receipt, completed_at: aTime() });
  expect(body.completed_at >= body.deleted_at).toBe(true);
});
