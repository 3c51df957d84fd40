import { expect, test } from 'vitest';
import { newUid } from '#shared/model/ids.ts';
import { aTime, aUser, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;

test('200 returns the user', async () => {
  const { uid } = await world.user({ email: 'ada@example.com', verified: true });
  const { status, body } = await as(project).users.get({ uid });
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

test('201 creates a user without an e-mail for an unknown uid, 200 from then on', async () => {
  const uid = newUid(new Date());
  const first = await as(project).users.get({ uid });
  const { created_at } = first.body;
  expect(first.status).toBe(201);
  expect(first.body).toEqual(
    aUser({ uid, project_id: project.project_id, created_at, modified_at: created_at }),
  );
  const again = await as(project).users.get({ uid });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
});

test('201 several users can have no e-mail', async () => {
  const answers = await Promise.all(
    [1, 2, 3].map((n) => as(project).users.get({ uid: newUid(new Date(n)) })),
  );
  expect(answers.map(({ status, body }) => [status, body.email])).toEqual(
    [1, 2, 3].map(() => [201, '']),
  );
});

test('404 for a user of another project', async () => {
  const foreign = await world.newProject();
  const { uid } = await world.user({ project: foreign });
  expectProblem(await as(project).users.get({ uid }), 'not_found');
  expect((await as(foreign).users.get({ uid })).body.project_id).toBe(foreign.project_id);
});
