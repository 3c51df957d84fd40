/** @module-tag engine */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { expectProblem } from '../../support/expectations.ts';
import { logged } from '../../support/log.ts';
import { signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

// The common behaviour of all sign-in methods, over HTTP. The tests of each function cover the rest.
const world = await startWorld();
const proof = { challenge_id: randomUUID(), code: '123456' };
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('the log names the project of a refused sign-in', async () => {
  const ours = await signInProject(world);
  const { result, lines } = await logged(() => ours.post('/sessions/code', proof));
  expectProblem(result, 'invalid_credentials');
  expect(lines).toEqual([
    expect.objectContaining({ operation: 'codes.verify', project_id: ours.project_id }),
  ]);
});

test('a project is known a second after a request for it failed, once it is created', async () => {
  const project_id = `late-${randomUUID().slice(0, 8)}`;
  const enter = () =>
    world.call('POST', '/codes', undefined, { project_id, email: 'a@example.com' });
  expectProblem(await enter(), 'not_found');
  await world.operate({ action: 'create', name: 'Late', project_id, code_sign_in: true });
  pass(lifetimes.projectReread * 1_000);
  expect((await enter()).status).toBe(202);
});

test("a proof of the e-mail raises the user's version; a user created by a code has no password", async () => {
  const ours = await signInProject(world);
  const email = 'made@example.com';
  const made = await world.user({ email, project: ours.project });
  const item = async (uid: string) => world.table.get(keys.user(uid));
  const before = await item(made.uid);
  await ours.signInByCode(email);
  expect((await item(made.uid))?.['version']).toBe(Number(before?.['version']) + 1);
  const { uid } = await ours.signInByCode('new@example.com');
  expect(await world.table.get(keys.password(uid))).toBeUndefined();
});
