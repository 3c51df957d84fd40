import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { factorProject } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);
const { enrol, factorsOf, newUser } = ours;

test('201 with ten new codes; the previous ones no longer work, and the user gets a mail', async () => {
  const ada = await newUser();
  const { recovery_codes: before } = await enrol(ada);
  const renewed = await factorsOf(ada).renewRecoveryCodes({ recovery_code: before[0] ?? '' });
  const { recovery_codes } = renewed.body;
  expect([renewed.status, new Set([...before, ...recovery_codes]).size]).toEqual([201, 20]);
  const old = await factorsOf(ada).deleteTotp({ recovery_code: before[1] ?? '' });
  expectProblem(old, 'invalid_credentials');
  expect((await factorsOf(ada).list()).body.result[0]).toMatchObject({ recovery_codes_left: 10 });
  expect(await ours.subjectsTo(ada.email)).toContain('New recovery codes for Test');
  expect((await factorsOf(ada).deleteTotp({ recovery_code: recovery_codes[9] ?? '' })).status).toBe(
    200,
  );
});

test('401 for a wrong code; the old codes keep working', async () => {
  const ada = await newUser();
  const { app, recovery_codes } = await enrol(ada);
  const wrong = await factorsOf(ada).renewRecoveryCodes({ code: app.wrong() });
  expectProblem(wrong, 'invalid_credentials');
  const recovery_code = recovery_codes[0] ?? '';
  expect((await factorsOf(ada).deleteTotp({ recovery_code })).status).toBe(200);
});
