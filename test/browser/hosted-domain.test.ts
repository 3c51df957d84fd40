/** @module-tag alone */
import { expect, test, vi } from 'vitest';
import { cookieName } from '../support/hosted-pages.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
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
import { serveApplication } from './redirect-application.ts';

/** The hosted pages of a project with a custom domain, with an application of another site that uses them. */
const domain = 'auth.acme.localhost';
const application = await serveApplication();
const { origin } = application;
const stage = await startHostedStage({}, [origin]);
const { world, people, project_id, at, linkTo, signIn } = stage;
const own = `http://${domain}:${new URL(world.url).port}`;
await world.operate({ action: 'update', project_id, pages_domain: domain });
await world.operate({
  ...{ action: 'create-client', project_id, client: 'web', client_name: 'Application' },
  redirect_uris: [`${origin}/`],
  post_logout_redirect_uris: [`${origin}/`],
});
application.use({ url: world.url, projectId: project_id, clientId: `${project_id}.web` });
const { open } = useBrowser();

test('an application sends users to the custom domain, and the session cookie is of that domain only', async () => {
  await people.signUp('ada@example.com');
  const ada = await open({ width: 390 });
  const { page, context } = ada;
  await page.goto(origin);
  await press(ada, 'Sign in');
  await heading(ada, 'Sign in');
  expect(page.url()).toMatch(`${own}/pages/${project_id}/sign-in`);
  await expectWellMade(ada, 'domain-sign-in');
  await signIn(ada, 'ada@example.com');
  await says(ada, 'Signed in: ada@example.com');
  allow(ada, '401');
  expect(await context.cookies()).toEqual([
    expect.objectContaining({ name: cookieName(people.project), domain, httpOnly: true }),
  ]);

  // The service's own address redirects to the domain, where the user is signed in.
  await visit(ada, at('account'));
  await says(ada, 'This browser');
  expect(page.url()).toBe(`${own}/pages/${project_id}/account`);
  expect(await context.cookies(world.url)).toEqual([]);
});

test('a mailed link for a new password leads to the custom domain', async () => {
  const email = 'grace@example.com';
  await people.signUp(email);
  const grace = await open();
  await visit(grace, at('forgotten-password'));
  await field(grace, 'E-mail').fill(email);
  await press(grace, 'Send me a link');
  await says(grace, 'we have sent it a link');
  const link = await linkTo(email);
  expect(link).toMatch(`${own}/pages/${project_id}/new-password`);
  await visit(grace, link);
  await field(grace, 'New password').fill(`another ${goodPassword}`);
  await press(grace, 'Set the password');
  await heading(grace, 'Account');
  expect(new URL(grace.page.url()).origin).toBe(own);
});

test('pages open during a change of the domain continue at the current one, and can sign out', async () => {
  const [ada, bob] = [
    await people.signUp('amy@example.com'),
    await people.signUp('bob@example.com'),
  ];
  const sessions = async (of: { uid: string }) =>
    (await world.as(people.project).sessions.list({ user_id: of.uid })).body.total;
  const setDomain = async (pages_domain: string | null) => {
    await world.operate({ action: 'update', project_id, pages_domain });
    // An instance may cache the settings for this long.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  };
  await setDomain(null);
  const [account, signInPage] = [await open(), await open()];
  await visit(account, at('account'));
  await signIn(account, 'amy@example.com');
  await says(account, 'This browser');
  await setDomain('login.acme.localhost');
  const [before, ofBob] = [await sessions(ada), await sessions(bob)];

  await follow(account, 'Sign out');
  await says(account, 'Do you want to sign out?');
  await press(account, 'Sign out');
  await says(account, 'You are signed out of this browser.');
  expect(new URL(account.page.url()).hostname).toBe('login.acme.localhost');
  expect(await account.context.cookies()).toEqual([]);
  expect(await sessions(ada)).toBe(before - 1);
  allow(account, '401');

  await visit(
    signInPage,
    `http://login.acme.localhost:${new URL(world.url).port}/pages/${project_id}/sign-in`,
  );
  await setDomain(domain);
  await signIn(signInPage, 'bob@example.com');
  await vi.waitFor(() =>
    expect(signInPage.page.url()).toMatch(`${own}/pages/${project_id}/sign-in`),
  );
  expect(await sessions(bob)).toBe(ofBob);
  await signIn(signInPage, 'bob@example.com');
  await heading(signInPage, 'Account');
  allow(signInPage, '401', '404');
  // Restores the clock only after the pages are closed: a token from the future is refused.
});
