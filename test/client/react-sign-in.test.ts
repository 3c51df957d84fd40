import { createElement, StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { type Auth, createAuth } from '../../client/auth.ts';
import {
  AuthProvider,
  english,
  german,
  SignIn,
  type SignInProps,
  useUser,
} from '../../client/react.ts';
import { openPage } from '../support/react-page.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id, mailed, signUp } = await signInProject(world);
const page = await openPage();
let line: typeof fetch = fetch;
let auth: Auth | undefined;
let number = 0;

afterEach(async () => {
  line = fetch;
  // Tabs of the next test must not find this one's session.
  await auth?.signOut();
  auth?.close();
});

const User = () => useUser()?.email;
async function show(props: SignInProps = {}, texts = english) {
  const [url, projectId] = [world.url, project_id];
  auth = createAuth({ url, projectId, fetch: (...call) => line(...call) });
  const inside = [createElement(SignIn, { ...props, key: 1 }), createElement(User, { key: 2 })];
  const shown = await page.show(
    createElement(StrictMode, null, createElement(AuthProvider, { auth, texts }, inside)),
  );
  await shown.expectText(texts.email);
  return { ...shown, email: `linus${(number += 1)}@react.example.com` };
}

test('a person signs in by a mailed code, after a wrong one', async () => {
  const signedIn: string[] = [];
  const { email, enter, click, expectText, named, text } = await show({
    onSignedIn: ({ user }) => signedIn.push(user.email),
  });
  expect(named('E-mail').getAttribute('autocomplete')).toBe('email');
  await enter('E-mail', ` ${email} `);
  await click('Send me a code');
  await expectText(`We have sent a code to ${email}\\.`);
  expect(named('Code').getAttribute('autocomplete')).toBe('one-time-code');
  await expect.poll(page.focused).toBe('code');
  const code = await mailed(email);
  await enter('Code', code === '123456' ? '123457' : '123456');
  await click('Sign in');
  await expectText('The code is wrong or has expired');
  expect(named('Code').getAttribute('aria-invalid')).toBe('true');
  const described = named('Code').getAttribute('aria-describedby') ?? '';
  expect(page.window.document.getElementById(described)?.textContent).toBe(english.codeWrong);
  await enter('Code', `${code.slice(0, 3)} ${code.slice(3)}`);
  await click('Sign in');
  await expectText(`^${email}$`);
  expect([signedIn, text()]).toEqual([[email], email]);
});

test('a person signs in by password, and is led to the first field that is wrong', async () => {
  const { email, enter, click, expectText, named } = await show();
  await signUp(email);
  await click('Use a password');
  await click('Sign in');
  await expectText(english.emailInvalid);
  await expect.poll(page.focused).toBe('email');
  await enter('E-mail', email);
  await click('Sign in');
  await expectText(english.passwordMissing);
  await expect.poll(page.focused).toBe('password');
  expect(named('E-mail').getAttribute('aria-invalid')).toBe('false');
  expect(named('Password').getAttribute('autocomplete')).toBe('current-password');
  await enter('Password', 'not the password');
  await click('Sign in');
  await expectText(english.passwordWrong);
  await enter('Password', goodPassword);
  await click('Sign in');
  await expectText(`^${email}$`);
});

test('two clicks send one code', async () => {
  let codes = 0;
  line = (to, init) => {
    codes += String(to).endsWith('/codes') ? 1 : 0;
    return fetch(to, init);
  };
  const { email, enter, named, expectText } = await show();
  await enter('E-mail', email);
  for (let click = 0; click < 2; click += 1)
    named('Send me a code').dispatchEvent(
      new page.window.MouseEvent('click', { bubbles: true, cancelable: true }),
    );
  await expectText('We have sent a code');
  expect(codes).toBe(1);
});

test('a mail for a forgotten password is announced alike for everybody', async () => {
  const { email, enter, click, expectText, element } = await show({ methods: ['password'] });
  await enter('E-mail', email);
  await click('Forgot your password?');
  await expectText(english.resetSent);
  expect(element.querySelector('[role=status]')?.textContent).toBe(english.resetSent);
  expect(element.textContent).not.toContain(english.useCode);
});

const answers = (status: number, code: string, headers = {}) =>
  Response.json({ code, request_id: 'r1' }, { status, headers });
test.each([
  ['no network', () => Promise.reject(new TypeError('fetch failed')), english.network],
  ['a limit', async () => answers(429, 'too_many_requests', { 'retry-after': '300' }), '5 minutes'],
  ['a disabled user', async () => answers(403, 'user_disabled'), 'has been disabled'],
  ['an address that is none', async () => answers(400, 'invalid_request'), english.emailInvalid],
  ['what has no words', async () => answers(500, 'internal_error'), 'did not work.*r1'],
])('%s is told in words', { timeout: 15_000 }, async (_, answer, words) => {
  line = answer;
  const { enter, click, element } = await show();
  await enter('E-mail', 'ada@react.example.com');
  await click('Send me a code');
  await expect
    .poll(() => element.querySelector('[role=alert]')?.textContent, { timeout: 9_000 })
    .toMatch(new RegExp(words.replace('?', '.')));
});

test('a class takes the place of the style, and texts the place of the words', async () => {
  const { element, named } = await show({ className: 'mine' }, german);
  expect(element.querySelector('form.mine')).not.toBeNull();
  expect(element.querySelectorAll('[style]')).toHaveLength(0);
  expect(named('Code zusenden').tagName).toBe('BUTTON');
  const plain = await show();
  expect(plain.element.querySelectorAll('[style]').length).toBeGreaterThan(3);
});

test('every language has words for the same codes', () => {
  expect(Object.keys(german.errors)).toEqual(Object.keys(english.errors));
});
