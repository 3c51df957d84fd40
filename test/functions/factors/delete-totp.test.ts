import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { factorProject } from '../../support/factors.ts';
import { atWindow } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);
const { enrol, factorsOf, newUser } = ours;

test('200 with a code of the app deletes the factor and its recovery codes, and mails the user', async () => {
  const ada = await newUser();
  const { app, recovery_codes } = await enrol(ada);
  const { status, body } = await factorsOf(ada).deleteTotp({ code: app.code() });
  expect([status, body.type]).toEqual([200, 'totp']);
  expect(await world.table.get(keys.factor(ada.uid))).toBeUndefined();
  expect(await world.table.get(keys.user(ada.uid))).not.toHaveProperty('factor_method');
  const recovery_code = recovery_codes[0] ?? '';
  expectProblem(await factorsOf(ada).deleteTotp({ recovery_code }), 'not_found');
  expect(await ours.subjectsTo(ada.email)).toContain('Two-step sign-in for Test is off');
});

test('an unverified e-mail gets no mail about factors', async () => {
  const ada = await world.user({ project: ours.project });
  const { app } = await enrol(ada);
  expect((await factorsOf(ada).renewRecoveryCodes({ code: app.code() })).status).toBe(201);
  expect((await factorsOf(ada).deleteTotp({ code: app.code(1) })).status).toBe(200);
  expect(await ours.mailTo(ada.email)).toBeUndefined();
});

test('a used code is refused, also for another endpoint', async () => {
  const ada = await newUser();
  const { app } = await enrol(ada);
  const used = await factorsOf(ada).deleteTotp({ code: app.code(-1) });
  expectProblem(used, 'invalid_credentials');
  const code = app.code();
  expect((await factorsOf(ada).renewRecoveryCodes({ code })).status).toBe(201);
  expectProblem(await factorsOf(ada).deleteTotp({ code }), 'invalid_credentials');
});

test('400 without a code or with two; a recovery code works in capitals without hyphens', async () => {
  const ada = await newUser();
  const { app, recovery_codes } = await enrol(ada);
  const recovery_code = recovery_codes[0] ?? '';
  expectInvalid(await factorsOf(ada).deleteTotp({}), '/body/code');
  const both = { code: app.code(), recovery_code };
  expectInvalid(await factorsOf(ada).deleteTotp(both), '/body/code');
  const capitals = recovery_code.toUpperCase().replaceAll('-', '');
  expect((await factorsOf(ada).deleteTotp({ recovery_code: capitals })).status).toBe(200);
});

test('two concurrent requests delete the factor once', async () => {
  const ada = await newUser();
  const { app, recovery_codes } = await enrol(ada);
  const answers = await Promise.all([
    factorsOf(ada).deleteTotp({ code: app.code() }),
    factorsOf(ada).deleteTotp({ recovery_code: recovery_codes[3] ?? '' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
});

test('429 after ten wrong codes across sessions; a recovery code still works and resets the count', async () => {
  atWindow(rates.factorFailures.seconds, 60);
  const ada = await newUser();
  const { app, recovery_codes } = await enrol(ada);
  const { max } = rates.factorFailures;
  const other = await world.session(ada.uid, ours.project);
  for (let i = 0; i < max; i += 1) {
    const caller = i % 2 === 0 ? ada : other;
    expectProblem(await factorsOf(caller).deleteTotp({ code: app.wrong() }), 'invalid_credentials');
  }
  expectProblem(await factorsOf(ada).deleteTotp({ code: app.code() }), 'too_many_requests');
  // Guessing codes locks out nobody who has recovery codes; using one resets the count.
  for (let i = 0; i <= max; i += 1)
    expectProblem(
      await factorsOf(other).deleteTotp({ recovery_code: '00000-00000-00000' }),
      'invalid_credentials',
    );
  const recovery_code = recovery_codes[0] ?? '';
  expect((await factorsOf(ada).renewRecoveryCodes({ recovery_code })).status).toBe(201);
  expect((await factorsOf(ada).deleteTotp({ code: app.code() })).status).toBe(200);
});

test('403 after a hundred consecutive wrong codes; a recovery code unlocks the factor', async () => {
  const ada = await newUser();
  const { app, recovery_codes } = await enrol(ada);
  const key = keys.factor(ada.uid);
  await world.table.update(key, { tries: limits.wrongFactorCodesInARow });
  expectProblem(await factorsOf(ada).deleteTotp({ code: app.code() }), 'factor_locked');
  const recovery_code = recovery_codes[0] ?? '';
  expect((await factorsOf(ada).renewRecoveryCodes({ recovery_code })).status).toBe(201);
  expect((await factorsOf(ada).deleteTotp({ code: app.code() })).status).toBe(200);
});
