import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { factorProject } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { confirm, dialog, startConsoleStage } from './console-stage.ts';
import { heading, press, says } from './hosted-stage.ts';

/** The second factor in the console: the project setting, and its removal for a user who has lost it. */
const { world, enter, settle } = await startConsoleStage();
const people = await factorProject(world);
const { project_id } = people;
const { open } = useBrowser();

const openUser = async (opened: Opened, uid: string) => {
  await enter(opened, `/projects/${project_id}/users/${uid}`);
  await press(opened, 'Reset second factor');
};

test('the settings of a project turn second factors on, with the focus and the fields kept as expected', async () => {
  const { project_id: other } = await world.newProject();
  const opened = await enter(await open(), `/projects/${other}/settings`);
  await heading(opened, 'Settings');
  await opened.page.getByRole('combobox', { name: 'Second factor of users' }).click();
  await opened.page.getByRole('option', { name: 'optional' }).click();
  await press(opened, 'Save');
  await expect
    .poll(async () => {
      const { projects } = (await world.operate({ action: 'list' })) as {
        projects: { project_id: string; mfa?: string }[];
      };
      return projects.find((each) => each.project_id === other)?.mfa;
    })
    .toBe('optional');
  // The button is disabled now, so the focus moves to the message of success.
  await says(opened, 'Saved.');
  const focused = () => opened.page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe('Saved.');
  // A discarded value has no error any more.
  const sender = opened.page.getByLabel('Sender of mails');
  await sender.fill('nobody');
  await press(opened, 'Save');
  await opened.page.getByRole('alert').waitFor();
  await expect.poll(focused).toBe('Save');
  await press(opened, 'Discard');
  await opened.page.getByRole('alert').waitFor({ state: 'detached' });
  expect(await sender.inputValue()).toBe('');
  expect(await opened.page.getByText('Saved.').count()).toBe(0);
  await expect.poll(() => opened.page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  // Text typed while the form is saved stays.
  const typing = async (route: Route) => {
    await sender.fill('later@example.com');
    await route.continue();
  };
  await opened.page.route('**/operator', typing, { times: 1 });
  await opened.page.getByLabel('Product name in mails').fill('Shop');
  const reloaded = opened.page.waitForResponse(
    (response) => response.request().postDataJSON()?.action === 'list',
  );
  await press(opened, 'Save');
  await reloaded;
  await opened.page.waitForTimeout(100);
  expect(await sender.inputValue()).toBe('later@example.com');
  opened.problems.splice(0);
});

test("the operator removes a user's second factor, and the user signs in with the password only", async () => {
  const email = 'ada@example.com';
  const ada = await people.signUp(email);
  await people.enrol(ada, { current_password: goodPassword });
  expect((await people.byPassword(email)).status).toBe(200);
  await settle();
  const opened = await open();
  await openUser(opened, ada.uid);
  await dialog(opened).getByText('Make sure of who asks').waitFor();
  await confirm(opened, 'Remove');
  await dialog(opened).waitFor({ state: 'detached' });
  const mail = await people.mailTo(email);
  expect(mail?.text).toContain('authenticator app');
  expect((await people.byPassword(email)).status).toBe(201);
  await press(opened, 'Reset second factor');
  await confirm(opened, 'Remove');
  await says(opened, 'This user has no second factor.');
  expect(opened.problems.splice(0)).toEqual([expect.stringContaining('404')]);
});

test('the settings and the dialog pass the checks in every view', async () => {
  const person = await people.signUp('look@example.com');
  const opened = await open();
  await enter(opened, `/projects/${project_id}/settings`);
  await heading(opened, 'Settings');
  await expectWellMade(opened, 'console-settings-mfa');
  await openUser(opened, person.uid);
  await dialog(opened).getByText('Make sure of who asks').waitFor();
  await expectWellMade(opened, 'console-reset-factor');
});
