import { expect, test } from 'vitest';
import { newUid } from '#shared/model/ids.ts';
import type { User } from '#shared/model/resources.ts';
import {
  aTime,
  aUser,
  expectInvalid,
  expectProblem,
  expectSame,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const get = (uid: string, auth = project.basic) => world.call<User>('GET', `/users/${uid}`, auth);

test('200 the user', async () => {
  const { uid } = await world.user({ email: 'ada@example.com', verified: true });
  const { status, body } = await get(uid);
  expect(status).toBe(200);
  expect(body).toEqual(
    aUser({
      uid,
      project_id: project.project_id,
      email: 'ada@example.com',
      verified: { email: true },
      last_sign_in_at: aTime(),
    }),
  );
});

test('201 a uid that nobody has becomes a user without e-mail, 200 from then on', async () => {
  const uid = newUid(new Date());
  const first = await get(uid);
  const { created_at } = first.body;
  expect(first.status).toBe(201);
  expect(first.body).toEqual(
    aUser({ uid, project_id: project.project_id, created_at, modified_at: created_at }),
  );
  const again = await get(uid);
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

test('201 any number of users have no e-mail', async () => {
  const answers = await Promise.all([1, 2, 3].map((n) => get(newUid(new Date(n)))));
  expect(answers.map(({ status, body }) => [status, body.email])).toEqual(
    [1, 2, 3].map(() => [201, '']),
  );
});

test('404 the uid of a user of another project', async () => {
  const foreign = await world.newProject();
  const { uid } = await world.user({ project: foreign });
  expectProblem(await get(uid), 'not_found');
  expect((await get(uid, foreign.basic)).body.project_id).toBe(foreign.project_id);
});

test('404 an unknown uid, like a foreign one, where the project does not create users on get', async () => {
  const strict = await world.newProject({ create_users_on_get: false });
  const { uid } = await world.user();
  const unknown = newUid(new Date());
  expectProblem(await get(unknown, strict.basic), 'not_found');
  expectSame(await get(uid, strict.basic), await get(unknown, strict.basic));
  const known = await world.user({ project: strict });
  expect((await get(known.uid, strict.basic)).status).toBe(200);
});

test.each(['7', 'wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01'])('400 %s is no uid', async (uid) =>
  expectInvalid(await get(uid), '/path/uid'),
);

test('401 for a person, even for themself', async () => {
  const { uid, bearer } = await world.user();
  expectProblem(await get(uid, bearer), 'unauthenticated');
});
