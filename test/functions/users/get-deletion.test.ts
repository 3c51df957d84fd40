import { expect, test } from 'vitest';
import {
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nobody,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, call } = world;
const receiptOf = (uid: string, auth: string | undefined = project.basic) =>
  call('GET', `/users/${uid}/deletion`, auth);

test('200 the receipt, with the end of the job once it is done', async () => {
  const { uid } = await world.user();
  await call('DELETE', `/users/${uid}`, project.basic);
  const receipt = { uid, project_id: project.project_id, deleted_at: aTime() };
  expect(await receiptOf(uid)).toMatchObject({ status: 200, body: receipt });
  await world.drainStream();
  const { body } = await receiptOf(uid);
  expect(body).toEqual({ ...receipt, completed_at: aTime() });
  expect(body.completed_at >= body.deleted_at).toBe(true);
});

test('404 for a user who is there, for nobody, and for another project', async () => {
  const { uid } = await world.user();
  const missing = await receiptOf(nobody);
  expectProblem(missing, 'not_found');
  expectSame(missing, await receiptOf(uid));
  await call('DELETE', `/users/${uid}`, project.basic);
  const foreign = await world.newProject();
  expectSame(missing, await receiptOf(uid, foreign.basic));
});

test('400 for what is no uid, 401 for a person and without a credential', async () => {
  expectInvalid(await receiptOf('x'), '/path/uid');
  const { uid, bearer } = await world.user();
  expectProblem(await receiptOf(uid, bearer), 'unauthenticated');
  expectProblem(await call('GET', `/users/${uid}/deletion`), 'unauthenticated');
});
