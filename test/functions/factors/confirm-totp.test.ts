import { expect, test } from 'vitest';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { factorProject, newApp } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);
const { enrol, factorsOf, newUser } = ours;

test('201 with ten recovery codes; the user has a factor and gets a mail', async () => {
  const ada = await newUser();
  const { factor } = await enrol(ada);
  expect(factor).toEqual({
    type: 'totp',
    created_at: aTime(),
    recovery_codes_left: 10,
    recovery_codes: expect.any(Array),
  });
  expect(new Set(factor.recovery_codes).size).toBe(10);
  const { recovery_codes: _, ...listed } = factor;
  expect((await factorsOf(ada).list()).body.result).toEqual([listed]);
  await world.drainStream();
  const mail = world.mails().find(({ to }) => to === ada.email);
  expect(mail?.subject).toBe('Two-step sign-in for Test is on');
  const types = world
    .events()
    .flatMap(({ type, data }) =>
      data['user_id'] === ada.uid && type.startsWith('user.f') ? [type] : [],
    );
  expect(types).toEqual(['user.factor_added']);
});

test('no recovery code is in the table', async () => {
  const { recovery_codes } = await enrol(await newUser());
  const stored = JSON.stringify(await world.table.all());
  for (const code of recovery_codes) expect(stored).not.toContain(code);
});

test('404 without an enrolment, and in another session of the user than the one that started it', async () => {
  const ada = await newUser();
  expectProblem(await factorsOf(ada).confirmTotp({ code: '314159' }), 'not_found');
  const { secret } = (await factorsOf(ada).startTotp({})).body;
  const other = await world.session(ada.uid, ours.project);
  const refused = await factorsOf(other).confirmTotp({ code: newApp(secret).code() });
  expectProblem(refused, 'not_found');
});

test('two concurrent confirmations make one factor, whose recovery codes work', async () => {
  const ada = await newUser();
  const app = newApp((await factorsOf(ada).startTotp({})).body.secret);
  const answers = await Promise.all(
    [-1, 0].map((steps) => factorsOf(ada).confirmTotp({ code: app.code(steps) })),
  );
  const done = answers.filter(({ status }) => status === 201);
  expect(done).toHaveLength(1);
  const recovery_code = done[0]?.body.recovery_codes[0] ?? '';
  expect((await factorsOf(ada).deleteTotp({ recovery_code })).status).toBe(200);
});

test('409 once the factor is confirmed, for a right or a wrong code', async () => {
  const ada = await newUser();
  const { app } = await enrol(ada);
  for (const code of [app.code(), app.wrong()])
    expectProblem(await factorsOf(ada).confirmTotp({ code }), 'factor_exists');
});
