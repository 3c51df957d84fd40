import { expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { seedMembers } from '../support/budgets/case.ts';
import { seedCopies } from '../support/copies.ts';
import { factorProject } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser } from './browser.ts';
import { long, rightToLeft, word } from './hard-texts.ts';
import { press, says } from './hosted-stage.ts';
import { isIn, serveReactExample } from './react-stage.ts';

const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const people = await factorProject(world);
const origin = await serveReactExample({ url: world.url, projectId: people.project_id });
const { open } = useBrowser();

const ada = await people.signUp(long.email, goodPassword, { display_name: word });
const first = await world.workspace({ owner: ada, name: `A ${word}` });
for (const { email, display_name } of [rightToLeft, { email: 'bo@example.com', display_name: '' }])
  await world.member(
    first,
    'member',
    await world.user({ project: people.project, email, display_name }),
  );
const crowd = await world.workspace({ owner: ada, name: 'חברה — شركة' });
await seedMembers(world, crowd, 1_000);
await people.signUp('nobody@example.com');
const lone = await people.signUp('lone@example.com');
await world.workspace({ owner: lone, name: 'Alone' });
const busy = await people.signUp('busy@example.com');
const model = await world.workspace({ owner: busy, name: word });
const items = await world.table.query(`WS#${model.workspace_id}`);
await seedCopies(world, items, [model.workspace_id], 999);

async function signIn(opened: Opened, email: string): Promise<void> {
  await opened.page.goto(origin);
  await press(opened, 'Use a password');
  await opened.page.getByLabel('E-mail').fill(email);
  await opened.page.getByLabel('Password').fill(goodPassword);
  await press(opened, 'Sign in');
  await isIn(opened);
}

test('SignIn passes the checks at each step', async () => {
  const opened = await open();
  const { page, problems } = opened;
  await page.goto(origin);
  await says(opened, 'Send me a code');
  const mainOnes = `[...document.querySelectorAll('[data-part=button]')]
    .filter((each) => getComputedStyle(each).backgroundColor === 'rgb(17, 102, 204)')
    .map(({ type, innerText }) => type + ': ' + innerText)`;
  expect(await page.evaluate(mainOnes)).toEqual(['submit: Send me a code']);
  await expectWellMade(opened, 'sign-in');
  await page.getByLabel('E-mail').fill('not an address');
  await press(opened, 'Send me a code');
  await says(opened, 'Enter your e-mail address.');
  await expectWellMade(opened, 'sign-in-wrong-email');
  // The rate limits per address allow only a few codes and a few password attempts.
  const email = long.email.replace('aaaa', 'no');
  await page.getByLabel('E-mail').fill(email);
  await press(opened, 'Send me a code');
  await page.getByLabel('Code').fill('000 000');
  await expectWellMade(opened, 'sign-in-code');
  await press(opened, 'Sign in');
  await says(opened, 'The code is wrong or has expired.');
  await press(opened, 'Use a password');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('wrong');
  await press(opened, 'Sign in');
  await says(opened, 'The e-mail or the password is wrong.');
  await expectWellMade(opened, 'sign-in-wrong-password');
  expect(problems.splice(0)).toEqual([
    expect.stringContaining('401'),
    expect.stringContaining('401'),
  ]);
});

test('SignIn with a second factor passes the checks', async () => {
  const opened = await open();
  const { page, problems } = opened;
  const email = 'factor@example.com';
  const person = await people.signUp(email);
  const { app } = await people.enrol(person, { current_password: goodPassword });
  await page.goto(origin);
  await press(opened, 'Use a password');
  const enter = async () => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(goodPassword);
    await press(opened, 'Sign in');
  };
  // Chromium remembers that a script could not be loaded, so that another try is a new page.
  await page.route('**/second-step*', (route) => route.abort('connectionreset'));
  await enter();
  await says(opened, 'The service cannot be reached.');
  await page.unroute('**/second-step*');
  await press(opened, 'Try again');
  await press(opened, 'Use a password');
  problems.splice(0);
  await enter();
  await says(opened, 'Enter the code of your authenticator app, or a recovery code.');
  await expectWellMade(opened, 'sign-in-mfa');
  await page.getByLabel('Code').fill(app.wrong());
  await press(opened, 'Sign in');
  await says(opened, 'The code is wrong or has expired.');
  await expectWellMade(opened, 'sign-in-mfa-wrong');
  await page.getByLabel('Code').fill(app.code());
  await press(opened, 'Sign in');
  await isIn(opened);
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
});

test('SignIn for a new account passes the checks', async () => {
  const opened = await open();
  const { page } = opened;
  await page.goto(origin);
  await press(opened, 'Create an account');
  await expectWellMade(opened, 'sign-up');
  const email = long.email.replace('aaaa', 'new');
  await page.getByLabel('E-mail').fill(email);
  await press(opened, 'Send me a code');
  await says(opened, 'We have sent a code');
  await expectWellMade(opened, 'sign-up-code');
  await press(opened, 'Use a password');
  await says(opened, 'Send me a link');
  await page.getByLabel('E-mail').fill('no address');
  await press(opened, 'Send me a link');
  await says(opened, 'Enter your e-mail address.');
  await expectWellMade(opened, 'sign-up-wrong-email');
  await page.getByLabel('E-mail').fill(email);
  await press(opened, 'Send me a link');
  await says(opened, 'We have sent a mail');
  await expectWellMade(opened, 'sign-up-link');
  await press(opened, 'I have an account');
  await page.getByLabel('Password').waitFor();
});

test('WorkspaceSwitcher, MemberTable and UserButton pass the checks, with 1,000 members', async () => {
  const opened = await open();
  const { page } = opened;
  await signIn(opened, long.email);
  await says(opened, 'Members: 3 members');
  await expectWellMade(opened, 'members');
  // A finger hits 44 pixels, and iOS enlarges the page at a field whose text is smaller than 16.
  const tooSmall = `[...document.querySelectorAll('button, input, select')].filter((each) =>
    each.offsetHeight < 44 || parseFloat(getComputedStyle(each).fontSize) < 16).map(({ outerHTML }) => outerHTML)`;
  expect(await opened.page.evaluate(tooSmall)).toEqual([]);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await expectWellMade(opened, 'user-button');
  await page.keyboard.press('Escape');
  await page.getByLabel('Workspace').selectOption(crowd.workspace_id);
  await says(opened, 'Members: 1000 members');
  const opacities = `['Previous', 'Next'].map((words) => [...document.querySelectorAll('button')]
    .find(({ innerText }) => innerText === words).style.opacity)`;
  expect(await page.evaluate(opacities)).toEqual(['0.7', '1']);
  await expectWellMade(opened, 'members-1000');
  await page.evaluate(`document.documentElement.dir = 'rtl'`);
  await expectWellMade(opened, 'members-right-to-left');
  // A role stays readable, however long the names are.
  const [narrowest = 0] = await page
    .getByLabel(/^Role of/)
    .evaluateAll((selects) =>
      (selects as unknown as { offsetWidth: number }[])
        .map(({ offsetWidth }) => offsetWidth)
        .sort((a, b) => a - b),
    );
  expect(narrowest).toBeGreaterThan(80);
});

test('the components of a user in no workspace pass the checks', async () => {
  const opened = await open();
  await signIn(opened, 'nobody@example.com');
  await says(opened, 'You are in no workspace yet.');
  await expectWellMade(opened, 'no-workspace');
});

test.each([
  ['lone@example.com', 1],
  ['busy@example.com', 1_000],
])('the switcher of %s has %i workspaces', async (email, count) => {
  const opened = await open();
  await signIn(opened, email);
  const options = opened.page.getByLabel('Workspace').locator('option');
  await expect.poll(() => options.count()).toBe(count);
  await says(opened, 'Members: 1 member');
  await expectWellMade(opened, `workspaces-${count}`);
  // Selecting another one is as fast.
  await opened.page.getByLabel('Workspace').selectOption({ index: count - 1 });
  await says(opened, 'Members: 1 member');
});

test('a slow and a failing network show messages and a way to try again', async () => {
  const opened = await open();
  const { page, problems } = opened;
  const slow = Promise.withResolvers<void>();
  await page.route(`${world.url}/workspaces**`, async (route) => {
    await slow.promise;
    await route.abort('connectionreset');
  });
  await signIn(opened, long.email);
  await says(opened, 'Loading…');
  await expectWellMade(opened, 'loading');
  slow.resolve();
  await says(opened, 'The service cannot be reached.');
  await expectWellMade(opened, 'failed');
  problems.splice(0);
  await page.unroute(`${world.url}/workspaces**`);
  await press(opened, 'Try again');
  await says(opened, 'Members: 3 members');
  await page.route(`${world.url}/sessions/**`, (route) => route.abort('connectionreset'));
  await page.route(`${world.url}/sessions`, (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: /^Account of/ }).click();
  await press(opened, 'Sign out');
  await says(opened, 'You are signed out here, but maybe not elsewhere');
  await expectWellMade(opened, 'sign-out-failed');
  problems.splice(0);
});

test('AcceptInvitation passes the checks', async () => {
  const opened = await open();
  const { page, problems } = opened;
  await page.goto(`${origin}/join`);
  await says(opened, 'This page needs the link of an invitation.');
  await expectWellMade(opened, 'invitation-none');
  await signIn(opened, long.email);
  await page.goto(`${origin}/join#token=${'x'.repeat(43)}`);
  await says(opened, 'You are signed in as');
  await expectWellMade(opened, 'invitation');
  await press(opened, 'Accept the invitation');
  await says(opened, 'The link was used');
  await expectWellMade(opened, 'invitation-refused');
  expect(problems.splice(0)).toEqual([expect.stringContaining('400')]);
});

const focusedIn = ({ page }: Opened) =>
  page.evaluate(
    `(document.activeElement.ariaLabel ?? document.activeElement.textContent) || document.activeElement.name`,
  );

test('the focus follows an invitation through sign-in and sign-out', async () => {
  const opened = await open();
  const { page } = opened;
  await page.goto(`${origin}/join#token=${'x'.repeat(43)}`);
  await press(opened, 'Use a password');
  await page.getByLabel('E-mail').fill(lone.email);
  await page.getByLabel('Password').fill(goodPassword);
  await page.keyboard.press('Enter');
  await says(opened, 'You are signed in as');
  await expect.poll(() => focusedIn(opened)).toMatch(/^You are signed in as/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await says(opened, 'Send me a code');
  await expect.poll(() => focusedIn(opened)).toBe('email');
});

test('sign-in, menu, workspaces and pages of members can be used with the keyboard only', async () => {
  const opened = await open();
  const { page } = opened;
  const focused = () => focusedIn(opened);
  const strike = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.goto(origin);
  await says(opened, 'Send me a code');
  // The e-mail, the button, the link to the password form; then its first field.
  await strike('Tab', 'Tab', 'Tab', 'Enter');
  await page.getByLabel('Password').waitFor();
  expect(await focused()).toBe('email');
  await page.keyboard.type(long.email);
  await strike('Tab');
  await page.keyboard.type(goodPassword);
  await strike('Enter');
  await says(opened, 'Members: 3 members');

  // The form replaced the list of workspaces; the account precedes both.
  await strike('Tab', 'Shift+Tab');
  expect(await focused()).toBe(`Account of ${word}`);
  await strike('Enter', 'Tab');
  expect(await focused()).toBe('Sign out');
  await strike('Escape');
  expect(await focused()).toBe(`Account of ${word}`);
  await strike('Tab', 'ArrowDown');
  await says(opened, 'Members: 1000 members');
  const next = page.getByRole('button', { name: 'Next' });
  await next.focus();
  await strike('Enter');
  await expect
    .poll(() => page.getByRole('button', { name: 'Previous' }).getAttribute('aria-disabled'))
    .toBeNull();
  expect(await focused()).toBe('Next');
});
