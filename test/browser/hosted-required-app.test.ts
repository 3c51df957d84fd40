import { expect, test } from 'vitest';
import { newApp } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser, views } from './browser.ts';
import { allow, field, heading, press, says, startHostedStage, visit } from './hosted-stage.ts';

/** A sign-in of somebody without an app, where the project requires one. */
const { people, signIn, at } = await startHostedStage({ mfa: 'required' });
const { open } = useBrowser();

/** Somebody with a password and no app. */
async function someone(email: string) {
  await people.post('/sign-up', { email });
  const token = await people.mailed(email);
  await people.post('/passwords', { token, password: goodPassword });
}

test.each(views)('adds it, at $width px, dark: $dark', async (view) => {
  const email = `required-${view.width}-${view.dark}@example.com`;
  await someone(email);
  const opened = await open(view);
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
