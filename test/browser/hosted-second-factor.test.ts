import { expect, test } from 'vitest';
import { newApp } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser, views } from './browser.ts';
import { allow, field, heading, press, says, startHostedStage, visit } from './hosted-stage.ts';

/** The second factor on the hosted sign-in page. */
const { world, people, signIn, at } = await startHostedStage({ mfa: 'optional' });
const { open } = useBrowser();

/** Somebody with an authenticator app. */
async function enrolled(email: string) {
  const ada = await people.signUp(email);
  const { factors } = world.as(ada);
  const { secret } = (await factors.startTotp({ current_password: goodPassword })).body;
  const app = newApp(secret);
  const { recovery_codes } = (await factors.confirmTotp({ code: app.code(-1) })).body;
  const left = async () => (await factors.list()).body.result[0]?.recovery_codes_left;
  return { app, recovery_codes, left };
}

test('a password is asked for a code: a wrong one is told, a right one signs in', async () => {
  const email = 'ada@example.com';
  const { app } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at('sign-in'));
  allow(opened, '401');
  await signIn(opened, email);
  await field(opened, 'Code').fill('12');
  await press(opened, 'Sign in');
  // It is said above the form, and then at the field.
  await opened.page.getByText('or a recovery code').nth(1).waitFor();
  await field(opened, 'Code').fill(app.wrong());
  await press(opened, 'Sign in');
  await says(opened, 'The code is wrong or has expired.');
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  expect(new URL(opened.page.url()).pathname).toBe(new URL(at('account')).pathname);
});

test('a recovery code signs in too', async () => {
  const email = 'grace@example.com';
  const { recovery_codes, left } = await enrolled(email);
  const opened = await open({ width: 390 });
  await visit(opened, at('sign-in'));
  allow(opened, '401');
  await signIn(opened, email);
  await field(opened, 'Code').fill(recovery_codes[0] ?? '');
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
  expect(await left()).toBe(9);
});

test.each(views)('the form at $width px, dark: $dark', async (view) => {
  const email = `view-${view.width}-${view.dark}@example.com`;
  await enrolled(email);
  const opened = await open(view);
  await visit(opened, at('sign-in'));
  allow(opened, '401');
  await signIn(opened, email);
  await field(opened, 'Code').waitFor();
  await expectWellMade(opened, 'sign-in-second-factor');
  expect(await opened.page.getByRole('button').count()).toBe(1);
});
