import { expect, test } from 'vitest';
import { newApp } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import {
  allow,
  field,
  follow,
  heading,
  press,
  says,
  startHostedStage,
  visit,
} from './hosted-stage.ts';

/** Sign-in of a user without an authenticator app, where the project requires one. */
const { world, people, signIn, at } = await startHostedStage({ mfa: 'required' });
const { open } = useBrowser();

/** A user with a password and without an app. */
async function newUser(email: string) {
  await people.post('/sign-up', { email });
  const token = await people.mailed(email);
  await people.post('/passwords', { token, password: goodPassword });
}

test('a user adds the required app during the sign-in', async () => {
  const email = 'required@example.com';
  await newUser(email);
  const opened = await open();
  await visit(opened, at('sign-in'));
  allow(opened, '401');
  await signIn(opened, email);
  await says(opened, 'You need a second factor here');
  await expectWellMade(opened, 'sign-in-app-required');
  await press(opened, 'Add an app');
  const shown = await opened.page.locator('code').innerText();
  const app = newApp(shown.replaceAll(' ', ''));
  await expectWellMade(opened, 'sign-in-app-added');
  await field(opened, 'Code of the app').fill(app.wrong());
  await press(opened, 'Confirm');
  await says(opened, 'The code is wrong or has expired.');
  await field(opened, 'Code of the app').fill(app.code());
  await press(opened, 'Confirm');
  await says(opened, 'These are your recovery codes.');
  await expectWellMade(opened, 'sign-in-app-recovery-codes');
  await press(opened, 'I have kept them');
  await heading(opened, 'Account');
  await opened.page.getByText('New recovery codes').first().waitFor();
  expect(await opened.page.getByText('Remove the app').count()).toBe(0);
});

/** Signs in where a page asks for it, and adds an app, until its recovery codes are shown. */
async function addApp(opened: Opened, email: string) {
  await newUser(email);
  allow(opened, '401');
  await signIn(opened, email);
  await press(opened, 'Add an app');
  const shown = await opened.page.locator('code').innerText();
  const app = newApp(shown.replaceAll(' ', ''));
  await field(opened, 'Code of the app').fill(await app.codeBefore());
  await press(opened, 'Confirm');
  await says(opened, 'These are your recovery codes.');
  return app;
}

test('the recovery codes stay on screen when another user signs in in another tab', async () => {
  const opened = await open({ width: 390 });
  const { page } = opened;
  await visit(opened, at('account'));
  await addApp(opened, 'first@example.com');
  const other = await open({ width: 390 }, opened);
  await visit(other, at('sign-in'));
  await addApp(other, 'second@example.com');
  await press(other, 'I have kept them');
  await heading(other, 'Account');

  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.waitForTimeout(1_000);
  expect(requests).toBe(0);
  await says(opened, 'These are your recovery codes.');
  await press(opened, 'I have kept them');
  await heading(opened, 'Account');
  await says(opened, 'first@example.com');
});

test('a session that ends while the recovery codes are shown leads to a new sign-in', async () => {
  const email = 'slow@example.com';
  const opened = await open({ width: 390 });
  await visit(opened, at('sign-in'));
  const confirmed = opened.page.waitForResponse('**/sessions/mfa/totp/confirm');
  const app = await addApp(opened, email);
  const { access_token } = (await (await confirmed).json()) as { access_token: string };
  const ended = await world.call('DELETE', '/sessions/current', `Bearer ${access_token}`);
  expect(ended.status).toBe(200);
  expect(await opened.page.getByRole('link', { name: 'Sign in again' }).count()).toBe(0);
  await press(opened, 'I have kept them');
  await says(opened, 'You are no longer signed in. Sign in again.');
  await says(opened, 'These are your recovery codes.');
  await follow(opened, 'Sign in again');
  await signIn(opened, email);
  await field(opened, 'Code').fill(app.code());
  await press(opened, 'Sign in');
  await heading(opened, 'Account');
});
