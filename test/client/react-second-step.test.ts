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
import { factorProject } from '../support/factors.ts';
import { openPage } from '../support/react-page.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

/** The second factor in the component `SignIn`. */
const world = await startWorld();
const { project_id, signUp, enrol, mailed, factorsOf } = await factorProject(world);
const page = await openPage();
let auth: Auth | undefined;

afterEach(async () => {
  // Tabs of the next test must not find this one's session.
  await auth?.signOut();
  auth?.close();
});

const User = () => useUser()?.email;
async function show(props: SignInProps = {}, texts = english, of = { project_id }) {
  auth = createAuth({ url: world.url, projectId: of.project_id });
  const inside = [createElement(SignIn, { ...props, key: 1 }), createElement(User, { key: 2 })];
  const shown = await page.show(
    createElement(StrictMode, null, createElement(AuthProvider, { auth, texts }, inside)),
  );
  await shown.expectText(texts.email);
  return shown;
}
/** Somebody with an app, and a page on which they have sent their password. */
async function asked(email: string, props: SignInProps = {}, texts = english) {
  const person = await signUp(email);
  const { app, recovery_codes } = await enrol(person, { current_password: goodPassword });
  const shown = await show({ methods: ['password', 'code'], ...props }, texts);
  await shown.enter(texts.email, email);
  await shown.enter(texts.password, goodPassword);
  await shown.click(texts.signIn);
  await shown.expectText(texts.mfaAsked);
  return { ...shown, app, recovery_codes, person };
}

test('a password is asked for a code: what is none and a wrong one are told, a right one signs in', async () => {
  const email = 'ada@react.example.com';
  const entered: string[] = [];
  const { app, enter, click, expectText, named } = await asked(email, {
    onSignedIn: ({ user }) => entered.push(user.email),
  });
  expect(entered).toEqual([]);
  expect(auth?.session).toBeNull();
  await expect.poll(page.focused).toBe('code');
  expect(named('Code').getAttribute('autocomplete')).toBe('one-time-code');
  await enter('Code', '12');
  await click('Sign in');
  await expect.poll(() => named('Code').getAttribute('aria-invalid')).toBe('true');
  await enter('Code', app.wrong());
  await click('Sign in');
  await expectText(english.codeWrong);
  const code = app.code();
  await enter('Code', ` ${code.slice(0, 3)} ${code.slice(3)}`);
  await click('Sign in');
  await expectText(`^${email}$`);
  expect(entered).toEqual([email]);
});

test('a recovery code signs in too', async () => {
  const email = 'grace@react.example.com';
  const { recovery_codes, enter, click, expectText, person } = await asked(email);
  await enter('Code', (recovery_codes[0] ?? '').toUpperCase());
  await click('Sign in');
  await expectText(`^${email}$`);
  const { body } = await factorsOf(person).list();
  expect(body.result).toMatchObject([{ recovery_codes_left: 9 }]);
});

test('a mailed code is asked for a code', async () => {
  const email = 'kate@react.example.com';
  const person = await signUp(email);
  const { app } = await enrol(person, { current_password: goodPassword });
  const { enter, click, expectText } = await show({ methods: ['code'] });
  await enter('E-mail', email);
  await click('Send me a code');
  await expectText('We have sent a code');
  await enter('Code', await mailed(email));
  await click('Sign in');
  await expectText(english.mfaAsked);
  await enter('Code', app.code());
  await click('Sign in');
  await expectText(`^${email}$`);
});

test('a sign-in whose account has changed is begun again, in German', async () => {
  const email = 'emil@react.example.com';
  const shown = await asked(email, {}, german);
  const { app, person, enter, click, expectText, text } = shown;
  await world.as(person).users.update({ uid: person.uid, display_name: 'Emil' });
  await enter('Code', app.code());
  await click('Anmelden');
  await expectText('Melde dich neu an');
  await click('Anderes Konto verwenden');
  await expectText('Passwort');
  expect(text()).not.toContain(german.mfaAsked);
  await enter('Passwort', goodPassword);
  await click('Anmelden');
  await expectText(german.mfaAsked);
  await enter('Code', app.code());
  await click('Anmelden');
  await expectText(`^${email}$`);
});

test('where it is required, who has no app is told so, and gets no session', async () => {
  const strict = await factorProject(world, { mfa: 'required' });
  const email = 'hedy@react.example.com';
  await strict.signUpAsked(email);
  const { enter, click, expectText } = await show({ methods: ['password'] }, english, strict);
  await enter(english.email, email);
  await enter(english.password, goodPassword);
  await click(english.signIn);
  await expectText(english.mfaEnrol);
  expect(auth?.session).toBeNull();
});
