/**
 * @module-tag engine
 * @module-tag source
 */
import { expect, test, vi } from 'vitest';
import { lifetimes } from '../shared/model/limits.ts';
import { rates } from '../shared/model/rates.ts';
import { readBudgets } from './support/budgets/budgets.ts';
import { profile } from './support/budgets/case.ts';
import type { Call } from './support/call.ts';
import { meter } from './support/meter.ts';
import { goodPassword, signInProject } from './support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from './support/siteverify.ts';
import { startWorld } from './support/world.ts';

const world = await startWorld({ subscribers: false });
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);
const { 'passwords.signIn': signIns } = readBudgets();

test('a CAPTCHA for an unknown e-mail makes the same calls as for a known one', () => {
  const known = signIns?.['Anyone, captcha required'];
  expect(known).toBeDefined();
  expect(signIns?.['Anyone, captcha required, unknown e-mail']).toEqual(known);
});

// The captcha is verified at its provider, with a key that is not in the table. Endpoints that send mail make the same
// check.
test('a sign-in with a CAPTCHA costs the table the same as one without', async () => {
  const provider = await startSiteverify();
  const captcha = provider.setting();
  const { project_id, signUp, signIn } = await signInProject(world);
  const email = 'ada.king@example.com';
  await signUp(email, goodPassword, profile);
  await signIn(email);
  await world.operate({ action: 'update', project_id, captcha });
  await setCaptchaKeys([provider.keyOf(project_id, captcha)]);
  const solved = (): Call => ({
    ...{ method: 'POST', path: '/sessions/password' },
    body: { project_id, email, password: goodPassword, captcha_token: provider.solve() },
  });
  const moveBy = (seconds: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
  // The instance reads the project again, and then not, and nothing was counted at its doors.
  moveBy(lifetimes.projectCache + 1);
  expect((await world.call(solved())).status).toBe(201);
  moveBy(rates.projectDoor.seconds);
  const { result, cost } = await measure(() => world.call(solved()));
  expect(result.status).toBe(201);
  expect(cost).toEqual(signIns?.['Anyone, password']);
  expect(provider.asked).toHaveLength(2);
});
