/** @module-tag alone */
import { expect, test } from 'vitest';
import { newApp } from '../support/factors.ts';
import { goodPassword } from '../support/sign-in.ts';
import { expectWellMade, useBrowser } from './browser.ts';
import { allow, field, follow, heading, press, says } from './hosted-stage.ts';
import { signedIn, startRedirectStage } from './redirect-application.ts';

/** Sign-in by redirect from an application, which the user completes by a mail that opens in another tab. */
const { origin, stage } = await startRedirectStage();
const { world, people, project_id, at, linkTo, signIn } = stage;
const { open } = useBrowser();

test('after a new password by mail the sign-in leads back to the application, also from a used link', async () => {
  const email = 'frida@example.com';
  const frida = await people.signUp(email);
  const { factors } = world.as(frida);
  const { secret } = (await factors.startTotp({ current_password: goodPassword })).body;
  const app = newApp(secret);
  await factors.confirmTotp({ code: await app.codeBefore() });
  const opened = await open();
  await opened.page.goto(`${origin}/`);
  await press(opened, 'Sign in');
  await follow(opened, 'Forgot your password?');
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a link');
  await says(opened, 'we have sent it a link');
  allow(opened, '401');
  const tab = await open({ width: 390 }, opened);
  await tab.page.goto(await linkTo(email));
  const password = 'another horse battery staple';
  await field(tab, 'New password').fill(password);
  await press(tab, 'Set the password');
  const again = tab.page.getByRole('link', { name: 'Sign in again' });
  await again.waitFor();
  allow(tab, '401');
  // The mail's token is used, so the link may leave this tab.
  expect(await again.getAttribute('target')).toBeNull();
  const href = await again.getAttribute('href');
  expect(href).toContain(`client_id=${project_id}.web`);
  expect(href).not.toContain('#');

  await tab.page.reload();
  await says(tab, 'The link was used');
  await expectWellMade(tab, 'redirect-new-password-used');
  const links = await tab.page.getByRole('main').getByRole('link').all();
  expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual(
    ['forgotten-password', 'sign-in', 'sign-up'].map((page) => href?.replace('sign-in', page)),
  );
  await follow(tab, 'Sign in instead');
  await signIn(tab, email, password);
  await field(tab, 'Code').fill(app.code());
  await press(tab, 'Sign in');
  await says(tab, signedIn(email));
});

test('a mail requested without an application leads to the account, not to an application left before', async () => {
  await people.signUp('hugo@example.com');
  const opened = await open();
  await opened.page.goto(`${origin}/`);
  await press(opened, 'Sign in');
  await follow(opened, 'Create an account');
  await field(opened, 'E-mail').fill('hugp@example.com');
  await press(opened, 'Send me a link');
  await says(opened, 'We have sent a mail to hugp@example.com.');
  await opened.page.goto(at('forgotten-password'));
  await field(opened, 'E-mail').fill('hugo@example.com');
  await press(opened, 'Send me a link');
  await says(opened, 'we have sent it a link');
  const tab = await open({}, opened);
  await tab.page.goto(await linkTo('hugo@example.com'));
  await field(tab, 'New password').fill(`another ${goodPassword}`);
  await press(tab, 'Set the password');
  await heading(tab, 'Account');
  expect(new URL(tab.page.url()).origin).toBe(new URL(world.url).origin);
  allow(opened, '401');
  allow(tab, '401');
});

test.each([
  // The same user requests a link in both tabs.
  ['sign-in link', ['iris@example.com', 'iris@example.com']],
  // A password link does not identify the tab that requested it, only the e-mail.
  ['password', ['Jane@example.com', 'kate@example.com']],
])(
  'two applications wait for the mail of a %s, and each link continues its own',
  async (method, emails) => {
    const opened = await open();
    const signIns: { email: string; state: string | null; link: string }[] = [];
    for (const email of emails) {
      const tab = await open({}, opened);
      await tab.page.goto(`${origin}/`);
      await press(tab, 'Sign in');
      await heading(tab, 'Sign in');
      const state = new URL(tab.page.url()).searchParams.get('state');
      if (method === 'password') await follow(tab, 'Create an account');
      else await press(tab, 'Use a link by e-mail');
      await field(tab, 'E-mail').fill(email);
      await press(tab, 'Send me a link');
      await says(tab, email);
      allow(tab, '401');
      signIns.push({ email, state, link: await linkTo(email) });
    }
    for (const { email, state, link } of signIns) {
      const tab = await open({}, opened);
      const authorization = tab.page.waitForRequest((request) =>
        request.url().includes('/authorize?'),
      );
      await tab.page.goto(link);
      if (method === 'password') {
        await field(tab, 'New password').fill(goodPassword);
        await press(tab, 'Set the password');
      } else await press(tab, 'Sign in');
      expect(new URL((await authorization).url()).searchParams.get('state')).toBe(state);
      await says(tab, signedIn(email));
      expect(tab.page.url()).toBe(`${origin}/`);
      allow(tab, '401');
    }
  },
);

test.each([
  ['the application', { client_id: `${project_id}.web` }],
  ['a link', {}],
])('a sign-up by a link and a mail keeps the language that %s asked for', async (by, request) => {
  const email = `${by.replace(/.* /, '')}-de@example.com`;
  const dora = await open({ width: 390 });
  await dora.page.goto(at('sign-in', { ...request, ui_locales: 'de' }));
  await follow(dora, 'Konto anlegen');
  await field(dora, 'E-Mail').fill(email);
  await press(dora, 'Link schicken');
  await says(dora, email);
  allow(dora, '401');
  const tab = await open({ width: 390 }, dora);
  await tab.page.goto(await linkTo(email));
  expect(world.mails().find(({ to }) => to === email)?.subject).toMatch(/^Bestätigen Sie/);
  await heading(tab, 'Neues Passwort');
  expect(await tab.page.getAttribute('html', 'lang')).toBe('de');
  await expectWellMade(tab, 'redirect-new-password-de');
  if (by === 'the application') return;
  await field(tab, 'Neues Passwort').fill(goodPassword);
  await press(tab, 'Passwort festlegen');
  await heading(tab, 'Konto');
  await follow(tab, 'Abmelden');
  await press(tab, 'Abmelden');
  await heading(tab, 'Abgemeldet');
});
