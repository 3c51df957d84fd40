import { createElement } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { profileChanges, profileFields } from '../../../client/profile-change.ts';
import { german, UserProfile, type UserProfileProps } from '../../../client/react.ts';
import { factorProject } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { reactScene } from './scene.ts';

/** Which parts `UserProfile` has. */
const world = await startWorld();
const scene = await reactScene(world.url);
let number = 0;

type Signed = Pick<Awaited<ReturnType<typeof factorProject>>, 'project_id' | 'code'>;

/** Calls whose path ends so are made, but their answer is lost. */
let lost: string | undefined;
const lossy: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  if (lost && String(input).endsWith(lost)) throw new TypeError('Failed to fetch');
  return answer;
};

/** The profile of a new user without a password. */
async function show(of: Signed, props: UserProfileProps = {}, texts?: typeof german) {
  const auth = scene.open(of.project_id, { fetch: lossy });
  const email = `eve${(number += 1)}@profile.example.com`;
  await auth.signIn.code(await of.code(email));
  const shown = await scene.show(auth, createElement(UserProfile, props), texts);
  const headings = () =>
    [...shown.element.querySelectorAll('h2')].map(({ textContent }) => textContent);
  return { ...shown, email, auth, headings };
}
const all = ['Profile', 'E-mail', 'Password', 'Authenticator app', 'Passkeys'];
const last = 'Where you are signed in';

test('the parts are those that the project says in public', async () => {
  const full = await factorProject(world, { hosted_pages: true });
  const first = await show(full);
  await first.expectText('This browser');
  expect(first.headings()).toEqual([...all.slice(0, 4), last]);
  const bare = await factorProject(world, {
    ...{ hosted_pages: true, password_sign_in: false, mfa: 'off' },
  });
  const second = await show(bare);
  await second.expectText('This browser');
  expect(second.headings()).toEqual(['Profile', 'E-mail', last]);
});

test('of a project that says nothing all parts are there, or those that the application names', async () => {
  const silent = await factorProject(world);
  const first = await show(silent);
  await first.expectText('This browser');
  expect(first.headings()).toEqual([...all, last]);
  const second = await show(silent, { methods: ['app'] });
  await second.expectText('This browser');
  expect(second.headings()).toEqual(['Profile', 'E-mail', 'Authenticator app', last]);
});

test('a user without a password is mailed a link that sets one, in German', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { email, click, expectText } = await show(people, {}, german);
  await expectText('Sie haben kein Passwort.');
  await click('Passwort setzen', `Ein Link ist unterwegs an ${email}. Er setzt Ihr Passwort.`);
  const body = { token: await people.mailed(email), password: 'a staple of correct batteries' };
  expect((await people.post('/passwords', body)).status).toBe(201);
});

test('a class takes the place of the style of every part, once', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { element, expectText } = await show(people, { className: 'account' });
  await expectText('This browser');
  expect(element.querySelectorAll('.account')).toHaveLength(1);
  expect(element.querySelectorAll('[data-part=root]')).toHaveLength(1);
  expect(element.querySelectorAll('[style]')).toHaveLength(0);
});

test('a project that cannot be asked is asked again on request', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  let isDown = true;
  const line: typeof fetch = (input, init) =>
    isDown && String(input).includes('/projects/')
      ? Promise.reject(new TypeError('Failed to fetch'))
      : fetch(input, init);
  const auth = scene.open(people.project_id, { fetch: line });
  await auth.signIn.code(await people.code('down@profile.example.com'));
  const shown = await scene.show(auth, createElement(UserProfile));
  await shown.expectText('The service cannot be reached.');
  expect(shown.element.querySelectorAll('form')).toHaveLength(0);
  isDown = false;
  await shown.click('Try again');
  await shown.expectText('This browser');
});

test('a password that is required since the page was opened is asked for at its field', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { email } = await people.signUp('since@profile.example.com');
  // What a page that was opened before has read.
  const before: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).includes('/projects/')) return answer;
    const project = (await answer.json()) as { methods: object };
    return Response.json({ ...project, methods: { ...project.methods, password: false } });
  };
  const auth = scene.open(people.project_id, { fetch: before });
  await auth.signIn.code(await people.code(email));
  const shown = await scene.show(auth, createElement(UserProfile));
  await shown.expectText('This browser');
  expect(shown.element.querySelectorAll('[type=password]')).toHaveLength(0);
  const to = 'later@profile.example.com';
  await shown.submit({ 'New e-mail': to }, 'Send me a link', 'Enter your password.');
  expect(shown.named('Password').getAttribute('aria-invalid')).toBe('true');
  await shown.submit({ Password: goodPassword }, 'Send me a link', `sent a link to ${to}`);
});

test('a picture that was changed elsewhere stays, and does not keep the names from being saved', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, submit, expectText, text } = await show(people);
  await expectText('This browser');
  const { body } = await auth.api.users.getMe();
  const thumbnail_url = 'https://example.com/new.png';
  await auth.api.users.update({ uid: body.uid, thumbnail_url });
  // The form of the hosted page has the picture.
  const before = profileFields(body);
  const change = profileChanges(body);
  const { elsewhere } = await change(auth.api, { ...before, display_name: 'Eva' });
  expect(elsewhere).toEqual({ thumbnail_url });
  await submit({ 'Display name': 'Eve' }, 'Save', 'Saved.|changed elsewhere');
  expect(text()).toContain('Saved.');
  expect((await auth.api.users.getMe()).body).toMatchObject({ display_name: 'Eve', thumbnail_url });
});

/** The profile of a user with a password. */
async function showWithPassword(of: Awaited<ReturnType<typeof factorProject>>) {
  const { email } = await of.signUp(`pat${(number += 1)}@profile.example.com`);
  const auth = scene.open(of.project_id);
  await auth.signIn.code(await of.code(email));
  const shown = await scene.show(auth, createElement(UserProfile));
  await shown.expectText('This browser');
  return { ...shown, auth };
}

test('a second change that is refused leaves the link of the first one pending', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, submit, expectText } = await showWithPassword(people);
  const to = 'first@profile.example.com';
  const asked = { 'New e-mail': to, Password: goodPassword };
  await submit(asked, 'Send me a link', `sent a link to ${to}`);
  const wrong = { 'New e-mail': 'second@profile.example.com', Password: 'not the password' };
  await submit(wrong, 'Send me a link', 'The password is wrong.');
  await auth.api.emails.confirm({ token: await people.mailed(to) });
  scene.page.window.dispatchEvent(new scene.page.window.Event('focus'));
  await expectText(`${to} is confirmed.`);
});

test('a current password that is too long is refused at its field', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { element, named, submit } = await showWithPassword(people);
  const fields = () => element.querySelectorAll('[type=password]').length;
  const before = fields();
  const new_password = 'New password, at least 15 characters';
  const typed = { 'Current password': 'a'.repeat(257), [new_password]: goodPassword };
  await submit(typed, 'Change your password', 'The password is wrong.|Enter your password.');
  expect(fields()).toBe(before);
  expect(named('Current password').getAttribute('aria-invalid')).toBe('true');
  expect(element.textContent).toContain('The password is wrong.');
});

test('a lost change of the e-mail is not made twice, also after another link was sent', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, submit, click, expectText } = await show(people);
  await expectText('This browser');
  const { uid } = (await auth.api.users.getMe()).body;
  const [email, to] = ['now@profile.example.com', 'soon@profile.example.com'];
  await world.as(people.project).users.update({ uid, email });
  await click('Save', email);
  lost = '/users/me/email';
  await submit({ 'New e-mail': to }, 'Send me a link', 'The service cannot be reached.');
  lost = undefined;
  await click('Verify your e-mail', `sent a link to ${email}`);
  await click('Send me a link', `Until then your e-mail stays ${email}`);
  expect(await people.subjectsTo(to)).toHaveLength(1);
});

test('an e-mail that was changed after a lost answer gets its own link', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, click, expectText } = await show(people);
  await expectText('This browser');
  const { uid } = (await auth.api.users.getMe()).body;
  const become = async (email: string) => {
    await world.as(people.project).users.update({ uid, email });
    // The page reads the user again after it has saved.
    await click('Save', email);
  };
  await become('old@profile.example.com');
  lost = '/email/verification';
  await click('Verify your e-mail', 'The service cannot be reached.');
  lost = undefined;
  const email = 'new@profile.example.com';
  await become(email);
  await click('Verify your e-mail', `sent a link to ${email}`);
  expect(await people.subjectsTo(email)).toHaveLength(1);
});

test('a name whose answer was lost can be corrected', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, submit, expectText, text } = await show(people);
  await expectText('This browser');
  lost = `/users/${auth.session?.uid}`;
  await submit({ 'Display name': 'Eve' }, 'Save', 'The service cannot be reached.');
  lost = undefined;
  expect((await auth.api.users.getMe()).body.display_name).toBe('Eve');
  await submit({ 'Display name': 'Eva' }, 'Save', 'Saved.|changed elsewhere');
  expect(text()).toContain('Saved.');
  expect((await auth.api.users.getMe()).body.display_name).toBe('Eva');
});

/** Comes back to the page, as after a link was opened in another tab. */
const look = () => scene.page.window.dispatchEvent(new scene.page.window.Event('focus'));

test('another spelling of a verified e-mail is confirmed by its link, and not before', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, email, submit, expectText, text } = await show(people);
  await expectText('This browser');
  const to = email.replace('eve', 'Eve');
  await submit({ 'New e-mail': to }, 'Send me a link', 'sent a link to|is confirmed');
  expect(text()).toContain(`Until then your e-mail stays ${email}`);
  await auth.api.emails.confirm({ token: await people.mailed(to) });
  look();
  await expectText(`${to} is confirmed.`);
});

test('an e-mail is confirmed by an earlier link too', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, submit, expectText } = await show(people);
  await expectText('This browser');
  const [one, other] = ['one@profile.example.com', 'other@profile.example.com'];
  await submit({ 'New e-mail': one }, 'Send me a link', `sent a link to ${one}`);
  await submit({ 'New e-mail': other }, 'Send me a link', `sent a link to ${other}`);
  await auth.api.emails.confirm({ token: await people.mailed(one) });
  look();
  await expectText(`${one} is confirmed.`);
  // So does the session.
  await expect.poll(() => auth.session?.user.email).toBe(one);
});

test('two e-mails are confirmed by their links, one after the other', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, submit, click, expectText } = await show(people);
  await expectText('This browser');
  const { uid } = (await auth.api.users.getMe()).body;
  const [one, other] = ['a@profile.example.com', 'b@profile.example.com'];
  await world.as(people.project).users.update({ uid, email: one });
  await click('Save', one);
  await click('Verify your e-mail', `sent a link to ${one}`);
  await submit({ 'New e-mail': other }, 'Send me a link', `sent a link to ${other}`);
  for (const email of [one, other]) {
    await auth.api.emails.confirm({ token: await people.mailed(email) });
    look();
    await expectText(`${email} is confirmed.`);
  }
});

/** How many sessions are listed. */
const listed = ({ element }: { element: { querySelectorAll(of: string): ArrayLike<unknown> } }) =>
  element.querySelectorAll('section:last-of-type li').length;

test('a password that was set in another tab shows, and the sessions that it ended are gone', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const email = `tab${(number += 1)}@profile.example.com`;
  await people.signInByCode(email);
  const [auth, tab] = [scene.open(people.project_id), scene.open(people.project_id)];
  await auth.signIn.code(await people.code(email));
  const { element, click, expectText } = await scene.show(auth, createElement(UserProfile));
  await expect.poll(() => listed({ element })).toBe(2);
  await click('Set a password', `sent a link to ${email}`);
  const token = await people.mailed(email);
  await tab.signUp.complete({ token, password: 'a staple of correct batteries' });
  await expectText('Change your password');
  await expect.poll(() => listed({ element })).toBe(1);
});

test('a first verification shows which sessions it has ended', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { auth, element, click, expectText } = await showWithPassword(people);
  const uid = auth.session?.uid ?? '';
  const email = `first${(number += 1)}@profile.example.com`;
  await world.as(people.project).users.update({ uid, email });
  await click('Save', email);
  await expect.poll(() => listed({ element })).toBe(2);
  await click('Verify your e-mail', `sent a link to ${email}`);
  await auth.api.emails.confirm({ token: await people.mailed(email) });
  look();
  await expectText(`${email} is confirmed.`);
  await expect.poll(() => listed({ element })).toBe(1);
});

test('after ten minutes, a lost change of the e-mail sends a link that is valid for its hour', async () => {
  const people = await factorProject(world, { hosted_pages: true });
  const { submit, click, expectText } = await show(people);
  await expectText('This browser');
  const to = 'hour@profile.example.com';
  lost = '/users/me/email';
  await submit({ 'New e-mail': to }, 'Send me a link', 'The service cannot be reached.');
  lost = undefined;
  expect(await people.subjectsTo(to)).toHaveLength(1);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  await click('Send me a link', `sent a link to ${to}`);
  expect(await people.subjectsTo(to)).toHaveLength(2);
});
