import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { age, factorProject, newApp } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);
const { enrol, factorsOf, newUser } = ours;

test('201 with a secret of 160 bits and its URI, and no factor yet', async () => {
  const ada = await newUser();
  const { status, body } = await factorsOf(ada).startTotp({});
  expect(status).toBe(201);
  expect(body).toEqual({
    secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    uri: expect.stringContaining(`secret=${body.secret}&issuer=Test&`),
    expires_in: 900,
  });
  expect((await factorsOf(ada).list()).body.total).toBe(0);
  expect(JSON.stringify(await world.table.all())).not.toContain(body.secret);
});

test('a user with a password must send it, even after an old sign-in', async () => {
  const ada = await ours.signUp('start@factors.example.com');
  await age(world, ada, lifetimes.recentSignIn);
  expectInvalid(await factorsOf(ada).startTotp({}), '/body/current_password');
  const wrong = await factorsOf(ada).startTotp({ current_password: 'wrong' });
  expectProblem(wrong, 'invalid_credentials');
  expect((await factorsOf(ada).startTotp({ current_password: goodPassword })).status).toBe(201);
});

test('401 for a user without a password whose sign-in is not recent', async () => {
  const ada = await newUser();
  await age(world, ada, lifetimes.recentSignIn);
  expectProblem(await factorsOf(ada).startTotp({}), 'reauthentication_required');
  const anew = await world.session(ada.uid, ours.project);
  expect((await factorsOf(anew).startTotp({})).status).toBe(201);
});

test('a second enrolment replaces an unconfirmed one, with another secret', async () => {
  const ada = await newUser();
  const first = newApp((await factorsOf(ada).startTotp({})).body.secret);
  const second = newApp((await factorsOf(ada).startTotp({})).body.secret);
  const refused = await factorsOf(ada).confirmTotp({ code: first.code() });
  expectProblem(refused, 'invalid_credentials');
  expect((await factorsOf(ada).confirmTotp({ code: second.code() })).status).toBe(201);
});

test('409 for a user who has a factor, which stays', async () => {
  const ada = await newUser();
  const { app } = await enrol(ada);
  expectProblem(await factorsOf(ada).startTotp({}), 'factor_exists');
  expect((await factorsOf(ada).deleteTotp({ code: app.code() })).status).toBe(200);
});

test('an unconfirmed enrolment expires', async () => {
  const ada = await newUser();
  const { secret } = (await factorsOf(ada).startTotp({})).body;
  const item = await world.table.get(keys.factor(ada.uid));
  expect(item).toMatchObject({ expires_at: expect.any(Number), session_id: expect.any(String) });
  await world.table.update(keys.factor(ada.uid), { expires_at: Math.floor(Date.now() / 1_000) });
  const late = await factorsOf(ada).confirmTotp({ code: newApp(secret).code() });
  expectProblem(late, 'not_found');
});
