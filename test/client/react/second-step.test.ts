import { createElement, StrictMode } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { type Auth, createAuth } from '../../../client/auth.ts';
import {
  AuthProvider,
  english,
  german,
  SignIn,
  type SignInProps,
  useUser,
} from '../../../client/react.ts';
import { factorProject, newApp } from '../../support/factors.ts';
import { openPage } from '../../support/react-page.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/** The second factor in the component `SignIn`. */
const world = await startWorld();
const { project_id, signUp, enrol, mailed, factorsOf } = await factorProject(world);
const page = await openPage();
let auth: Auth | undefined;

afterEach(async () => {
  // The next test's tabs must not find this test's session.
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
/** A user with an app, on a page where the password has been submitted. */
async function enterPassword(email: string, props: SignInProps = {}, texts = english) {
  const person = await signUp(email);
  const { app, recovery_codes } = await enrol(person, { current_password: goodPassword });
  const shown = await show({ methods: ['password', 'code'], ...props }, texts);
  await shown.enter(texts.email, email);
  await shown.enter(texts.password, goodPassword);
  await shown.click(texts.signIn);
  await shown.expectText(texts.mfaAsked);
  return { ...shown, app, recovery_codes, person };
}

test('after the password a code is required: an incomplete and a wrong one are refused', async () => {
  const email = 'ada@react.example.com';
  const entered: string[] = [];
  const { app, enter, click, expectText, named } = await enterPassword(email, {
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

test('a recovery code completes the sign-in', async () => {
  const email = 'grace@react.example.com';
  const { recovery_codes, enter, click, expectText, person } = await enterPassword(email);
  await enter('Code', (recovery_codes[0] ?? '').toUpperCase());
  await click('Sign in');
  await expectText(`^${email}$`);
  const { body } = await factorsOf(person).list();
  expect(body.result).toMatchObject([{ recovery_codes_left: 9 }]);
});

test('after a mailed code the code of the app is required', async () => {
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

test('a change of the account during the sign-in leads to a new sign-in, in German', async () => {
  const email = 'emil@react.example.com';
  const shown = await enterPassword(email, {}, german);
  const { app, person, enter, click, expectText, text } = shown;
  await world.as(person).users.update({ uid: person.uid, display_name: 'Emil' });
  await enter('Code', app.code());
  await click('Anmelden');
  await expectText('Melden Sie sich neu an');
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

describe('a user without a required app', () => {
  const begin = async (email: string, texts = english) => {
    const strict = await factorProject(world, { mfa: 'required' });
    await strict.signUpWithMfa(email);
    const entered: string[] = [];
    const props = {
      methods: ['password'] as const,
      onSignedIn: ({ user }: { user: { email: string } }) => entered.push(user.email),
    };
    const shown = await show(props, texts, strict);
    await shown.enter(texts.email, email);
    await shown.enter(texts.password, goodPassword);
    await shown.click(texts.signIn);
    return { ...shown, strict, entered };
  };
  const secretOf = (element: { querySelector(of: string): { textContent: string } | null }) =>
    (element.querySelector('[data-part=secret]')?.textContent ?? '').replaceAll(' ', '');

  test('adds one, keeps the recovery codes, and only then is signed in', async () => {
    const email = 'hedy@react.example.com';
    const { click, enter, expectText, element, entered, strict } = await begin(email);
    await expectText('You need a second factor here');
    await click('Add an app');
    await expectText('Scan this');
    expect(element.querySelector('svg[role=img]')?.getAttribute('aria-label')).toContain('QR');
    const app = newApp(secretOf(element));
    await enter('Code of the app', '12');
    await click('Confirm');
    await expectText(english.codeIncomplete);
    await enter('Code of the app', app.wrong());
    await click('Confirm');
    await expectText(english.codeWrong);
    await enter('Code of the app', app.code());
    await click('Confirm');
    await expectText('These are your recovery codes');
    const codes = [...element.querySelectorAll('[data-part=codes] li')].map(
      ({ textContent }) => textContent,
    );
    expect(codes).toHaveLength(10);
    // As without the permission.
    const refuse = () => Promise.reject(new Error('refused'));
    Object.assign(page.window.navigator.clipboard, { writeText: refuse });
    await click('Copy');
    await expectText('did not work');
    // A signed-in page may show something else in place of the codes.
    expect([auth?.session, entered]).toEqual([null, []]);
    await click('I have kept them');
    await expectText(`^${email}$`);
    expect(entered).toEqual([email]);
    const { body } = await strict.byPassword(email);
    expect(body.methods).toEqual(['totp', 'recovery_code']);
    const [recovery_code = ''] = codes;
    expect((await strict.finish(body, { recovery_code })).status).toBe(201);
  });

  test('sees an error, in German, if another enrolment has started, and can go back', async () => {
    const email = 'lise@react.example.com';
    const { click, enter, expectText, element, strict } = await begin(email, german);
    await expectText('Hier brauchen Sie einen zweiten Faktor');
    await click('App hinzufügen');
    await expectText('Scannen Sie den QR-Code');
    const app = newApp(secretOf(element));
    await strict.startEnrolment((await strict.byPassword(email)).body);
    await enter('Code der App', app.code());
    await click('Bestätigen');
    await expectText('Brechen Sie ab und beginnen Sie neu');
    await click('Abbrechen');
    await expectText('Hier brauchen Sie einen zweiten Faktor');
    await click('Anderes Konto verwenden');
    await expectText('Passwort');
    expect(auth?.session).toBeNull();
  });
});
