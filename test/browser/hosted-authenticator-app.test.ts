import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import { newApp } from '../support/factors.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import type { Person } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { allow, says, settled, startHostedStage, visit } from './hosted-stage.ts';

/** The second factor in the account on the hosted pages. */
const { world, people, at, enterAs, signIn } = await startHostedStage({ mfa: 'optional' });
const { open } = useBrowser();

/** Opens the section of the account page as a signed-in user. */
async function openPart(opened: Opened, person: Person) {
  await enterAs(opened, person);
  await visit(opened, at('account'));
  const part = opened.page.getByRole('region', { name: 'Authenticator app' });
  await part.waitFor();
  const press = (name: string) => part.getByRole('button', { name, exact: true }).click();
  const code = () => part.getByLabel('Code of the app').locator('visible=true');
  return { part, press, code };
}

/** Starts to add an app, and reads its secret as text, for users who type it. */
async function begin({ part, press }: Awaited<ReturnType<typeof openPart>>) {
  await part.getByLabel('Password', { exact: true }).fill(goodPassword);
  await press('Add an app');
  const shown = await part.locator('code').innerText();
  expect(shown).toMatch(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  return newApp(shown.replaceAll(' ', ''));
}

test('a user adds an app with a code, saves and renews its recovery codes, and removes it', async () => {
  const ada = await people.signUp('ada@example.com');
  const { factors } = world.as(ada);
  const opened = await open({ width: 390 });
  const opening = await openPart(opened, ada);
  const { part, press, code } = opening;

  allow(opened, '401', '404');
  await expectWellMade(opened, 'account-factor-none');
  await part.getByLabel('Password', { exact: true }).fill('not my password');
  await press('Add an app');
  await part.getByText('The password is wrong.').waitFor();
  const app = await begin(opening);
  const uri = await part.getByRole('link', { name: 'Open it on this device' }).getAttribute('href');
  expect(uri).toMatch(/^otpauth:\/\/totp\/Test:ada%40example\.com\?secret=[A-Z2-7]{32}&/);
  await part.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
  await expectWellMade(opened, 'account-factor-secret');

  // There is no recovery code yet.
  await code().fill('abcde-abcde-abcde');
  await press('Confirm');
  await part.getByText('Enter the six digits of the code.').waitFor();
  await code().fill(app.wrong());
  await press('Confirm');
  await part.getByText('The code is wrong or has expired.').waitFor();
  expect((await factors.list()).body.result).toEqual([]);
  await code().fill(await app.codeBefore());
  await press('Confirm');
  await part.getByText('The app is added.').waitFor();
  await part.getByText('10 recovery codes are left.').waitFor();

  const codes = (await part.locator('.codes code').innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await expectWellMade(opened, 'account-factor-codes');
  const saving = opened.page.waitForEvent('download');
  await press('Download as a file');
  const file = await saving;
  expect(file.suggestedFilename()).toBe(`${people.project_id}-recovery-codes.txt`);
  expect(await readFile(await file.path(), 'utf8')).toBe(
    `Recovery codes of Test. Each is good once.\n\n${codes.join('\n')}\n`,
  );
  await press('I have kept them');
  await part.locator('.codes').waitFor({ state: 'detached' });

  await world.table.update(keys.factor(ada.uid), { last_used_at: new Date().toISOString() });
  await visit(opened, at('account'));
  for (const hasText of ['New recovery codes', 'Remove the app'])
    await part.locator('summary', { hasText }).click();
  await expectWellMade(opened, 'account-factor-held');
  await part.locator('summary', { hasText: 'Remove the app' }).click();
  await code().fill(codes[0] ?? '');
  await press('New recovery codes');
  const renewed = part.locator('.codes code');
  await renewed.waitFor();
  expect((await renewed.innerText()).split('\n')).not.toContain(codes[1]);
  await press('I have kept them');

  await part.locator('summary', { hasText: 'Remove the app' }).click();
  await code().fill(codes[1] ?? '');
  await press('Remove the app');
  await part.getByText('The code is wrong or has expired.').waitFor();
  await code().fill(app.code());
  await press('Remove the app');
  await part.getByText('The app is removed.').waitFor();
  await part.getByLabel('Password', { exact: true }).waitFor();
  expect((await factors.list()).body.result).toEqual([]);
});

test('an enrolment that was replaced by a newer one reports that, and can be started again', async () => {
  const eve = await people.signUp('eve@example.com');
  const opened = await open({ width: 390 });
  const opening = await openPart(opened, eve);
  const app = await begin(opening);
  const other = await world.as(eve).factors.startTotp({ current_password: goodPassword });
  allow(opened, '404');
  const { part, press, code } = opening;
  await code().fill(app.code());
  await press('Confirm');
  await part.getByText('It has taken too long, or was begun elsewhere.').waitFor();
  await press('Cancel');
  // Somebody else removes it before she does, or before she renews its codes.
  for (const action of ['Remove the app', 'New recovery codes']) {
    const again = await begin(opening);
    expect(again.code()).not.toBe(newApp(other.body.secret).code());
    await code().fill(again.code());
    await press('Confirm');
    await part.getByText('The app is added.').waitFor();
    await world.as(people.project).factors.reset({ uid: eve.uid });
    await part.locator('summary', { hasText: action }).click();
    await code().fill(again.code());
    await press(action);
    await part.getByText('The app is removed.').waitFor();
  }
});

test('the secret of a project whose name no QR code has room for is shown to be typed', async () => {
  const settings = { hosted_pages: true, mfa: 'optional', name: '漢'.repeat(128) };
  const other = await signInProject(world, settings);
  await other.signUp('kim@example.com');
  const opened = await open({ width: 390 });
  await visit(opened, at('account').replace(people.project_id, other.project_id));
  await signIn(opened, 'kim@example.com');
  allow(opened, '401');
  const part = opened.page.getByRole('region', { name: 'Authenticator app' });
  await part.getByLabel('Password', { exact: true }).fill(goodPassword);
  await part.getByRole('button', { name: 'Add an app' }).click();
  const app = newApp((await part.locator('code').innerText()).replaceAll(' ', ''));
  expect(await part.getByRole('img').count()).toBe(0);
  await part.getByLabel('Code of the app').fill(app.code());
  await part.getByRole('button', { name: 'Confirm' }).click();
  await part.getByText('The app is added.').waitFor();
});

test('a project without second factors does not show the section', async () => {
  const other = await signInProject(world, { hosted_pages: true });
  await other.signUp('bob@example.com');
  const opened = await open({ width: 390 });
  await visit(opened, at('account').replace(people.project_id, other.project_id));
  await signIn(opened, 'bob@example.com');
  allow(opened, '401');
  await says(opened, 'Where you are signed in');
  await settled(opened);
  expect(await opened.page.getByRole('region', { name: 'Authenticator app' }).count()).toBe(0);
});

test('the section is available in German, and fits a phone', async () => {
  const emil = await people.signUp('emil@example.com');
  const opened = await enterAs(await open({ width: 390 }), emil);
  await visit(opened, at('account', { ui_locales: 'de' }));
  const part = opened.page.getByRole('region', { name: 'Authenticator-App' });
  const click = async (name: string) => part.getByRole('button', { name, exact: true }).click();
  await part.getByLabel('Passwort', { exact: true }).fill(goodPassword);
  await click('App hinzufügen');
  const app = newApp((await part.locator('code').innerText()).replaceAll(' ', ''));
  await part.getByLabel('Code der App').fill(app.wrong());
  await click('Bestätigen');
  await part
    .getByText('Der Code ist falsch oder abgelaufen. Jeder Code gilt nur einmal.')
    .waitFor();
  await expectWellMade(opened, 'account-factor-secret-german');
  await part.getByLabel('Code der App').fill(app.code());
  await click('Bestätigen');
  await part.getByText('10 Wiederherstellungscodes sind übrig.').waitFor();
  await part.locator('summary', { hasText: 'Neue Wiederherstellungscodes' }).click();
  await expectWellMade(opened, 'account-factor-codes-german');
  await click('Ich habe sie aufbewahrt');
  allow(opened, '401');
});
