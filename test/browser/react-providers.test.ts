import { expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { factorProject, newApp } from '../support/factors.ts';
import { startStandIn } from '../support/provider-stand-in.ts';
import { cancels, setSecret } from '../support/providers.ts';
import { startWorld } from '../support/world.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { press, says } from './hosted-stage.ts';
import { isIn, serveReactExample } from './react-stage.ts';

/** The React components for sign-in with providers to which the browser is redirected. */
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const [own, github] = await Promise.all([startStandIn('oidc'), startStandIn('github')]);

async function serve(settings: object, methods = 'code,password,provider') {
  const people = await factorProject(world, { hosted_pages: true, ...settings });
  const { project_id: projectId } = people;
  const origin = await serveReactExample({ url: world.url, projectId, methods });
  await world.operate({
    ...{ action: 'update', project_id: projectId },
    sign_in_providers: { examplehub: own.settings, github: github.settings },
    return_urls: [`${origin}/`],
  });
  await setSecret(world, people, own, { name: 'examplehub' });
  await setSecret(world, people, github);
  return { people, origin };
}
const { people, origin } = await serve({});
const strict = await serve({ mfa: 'required' });
const silent = await serve({ hosted_pages: false }, 'provider');
const { open } = useBrowser();

const hub = 'Continue with Examplehub';
let number = 0;
/** A user that no other test or retry uses. */
function newUser(name: string) {
  number += 1;
  const person = { sub: `${name}${number}`, email: `${name}${number}@example.com`, name };
  own.is({ ...person, email_verified: true });
  return person;
}
const cancelAtProvider = () => own.behave(cancels);

test('a button of a provider works by keyboard, signs in, and keeps the code out of the history', async () => {
  newUser('ada');
  const opened = await open();
  const { page } = opened;
  await page.goto(origin);
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
  await expectWellMade(opened, 'react-providers');
  await page.getByRole('button', { name: hub }).waitFor();
  await page.getByLabel('E-mail').focus();
  // Past the submit button of the form.
  for (let i = 0; i < 2; i += 1) await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe(hub);
  await page.keyboard.press('Enter');
  await isIn(opened);
  expect(page.url()).toBe(`${origin}/`);
  await page.goBack();
  expect(page.url()).not.toContain('code=');
});

test('a user who cancels at the provider sees a message, and can try again', async () => {
  newUser('back');
  cancelAtProvider();
  const opened = await open();
  await opened.page.goto(origin);
  await press(opened, hub);
  await says(opened, 'Examplehub has not signed you in.');
  expect(opened.page.url()).toBe(`${origin}/`);
  await opened.page.getByRole('button', { name: hub }).waitFor();
  await expectWellMade(opened, 'react-provider-refused');
  own.behave();
  await press(opened, hub);
  await isIn(opened);
});

test('a required app is added on the page after the return', async () => {
  newUser('required');
  const opened = await open();
  const { page } = opened;
  await page.goto(strict.origin);
  await press(opened, hub);
  await says(opened, 'You need a second factor here');
  expect(page.url()).toBe(`${strict.origin}/`);
  await expectWellMade(opened, 'react-provider-enrol');
  await press(opened, 'Add an app');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const app = newApp((await page.locator('[data-part=secret]').innerText()).replaceAll(' ', ''));
  await page.getByLabel('Code of the app').fill(app.code());
  await page.keyboard.press('Enter');
  await press(opened, 'I have kept them');
  await isIn(opened);
});

test('a response that this tab has not requested signs no user in, with a message', async () => {
  const opened = await open();
  const { page } = opened;
  await page.goto(`${origin}/?code=${'x'.repeat(43)}&state=provider.${'y'.repeat(43)}`);
  await says(opened, 'This was not begun in this tab');
  expect(page.url()).toBe(`${origin}/`);
  await expectWellMade(opened, 'react-provider-elsewhere');
  await page.goto(`${origin}/?code=of-another-server&state=s`);
  await page.getByRole('button', { name: hub }).waitFor();
  expect(page.url()).toContain('of-another-server');
});

test('an e-mail that has an account already leads to the other sign-in methods', async () => {
  const person = newUser('taken');
  // The account's e-mail is not verified, so no provider can sign in to it.
  await world.call('POST', '/users', people.project.basic, { email: person.email });
  const opened = await open();
  await opened.page.goto(origin);
  opened.allowed.push('409');
  await press(opened, hub);
  await says(opened, 'There is an account with this e-mail. Sign in another way.');
  await opened.page.getByLabel('E-mail').waitFor();
  expect(opened.page.url()).toBe(`${origin}/`);
});

test('a page that cannot store anything stays open, with a message', async () => {
  const opened = await open();
  const { page } = opened;
  await page.addInitScript(
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
  );
  await page.goto(origin);
  await press(opened, hub);
  await says(opened, 'Your browser lets this page store nothing');
  expect(page.url()).toBe(`${origin}/`);
  await expectWellMade(opened, 'react-provider-storage');
});

test('a page restored from the back/forward cache has working buttons', async () => {
  newUser('history');
  const opened = await open();
  const { page } = opened;
  await page.goto(origin);
  // Chromium has no back/forward cache here. Cancelling the navigation keeps the page, as that cache would.
  await page.route(/\/start\?/, (route) => route.fulfill({ status: 204 }));
  await press(opened, hub);
  const button = page.getByRole('button', { name: hub });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  await page.unroute(/\/start\?/);
  await page.evaluate(
    "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
  );
  await expect.poll(() => button.getAttribute('aria-disabled')).toBeNull();
  await press(opened, hub);
  await isIn(opened);
});

test('a user who returns to a tab where another user signed in is signed in as themselves', async () => {
  newUser('first');
  const opened = await open();
  const { page } = opened;
  await page.goto(origin);
  let start = '';
  // The navigation to the provider takes longer than everything that the other tab does.
  await page.route(/\/start\?/, (route) => {
    start = route.request().url();
    return route.fulfill({ status: 204 });
  });
  await press(opened, hub);
  await expect.poll(() => start).not.toBe('');
  await page.unroute(/\/start\?/);
  const other = { ...opened, page: await page.context().newPage() };
  await other.page.goto(origin);
  await press(other, hub);
  await isIn(other);
  await isIn(opened);
  const { name } = newUser('second');
  await page.goto(start);
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
  expect(page.url()).toBe(`${origin}/`);
  await page.getByRole('button', { name: `Account of ${name}` }).click();
  await press(opened, 'Sign out');
  await page.getByRole('button', { name: hub }).waitFor();
  await other.page.getByRole('button', { name: hub }).waitFor();
});

test('a project that does not list its providers shows an error and a way to try again', async () => {
  const opened = await open();
  await opened.page.goto(silent.origin);
  await says(opened, 'There is no such thing, or you may not see it.');
  await opened.page.getByRole('button', { name: 'Try again' }).waitFor();
  for (const problem of opened.problems.splice(0)) expect(problem).toContain('404');
});
