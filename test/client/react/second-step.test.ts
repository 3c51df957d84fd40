import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import type { Auth } from '../../../client/auth.ts';
import { english, german, SignIn, type SignInProps } from '../../../client/react.ts';
import { factorProject, newApp } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { reactScene, User } from './scene.ts';

/** The second factor in the component `SignIn`. */
const world = await startWorld();
const { project_id, signUp, enrol, mailed, factorsOf } = await factorProject(world);
const scene = await reactScene(world.url);
const { page } = scene;
let auth: Auth | undefined;

async function show(props: SignInProps = {}, texts = english, of = { project_id }) {
  auth = scene.open(of.project_id);
  const inside = [createElement(SignIn, { ...props, key: 1 }), createElement(User, { key: 2 })];
  const shown = await scene.show(auth, inside, texts);
  await shown.expectText(texts.email);
  return shown;
}
/** A user with an app, on a page where the password has been submitted. */
async function enterPassword(email: string, props: SignInProps = {}, texts = english) {
  const person = await signUp(email);
  const { app, recovery_codes } = await enrol(person, { current_password: goodPassword });
  const shown = await show({ methods: ['password', 'code'], ...props }, texts);
  await shown.submit(
    { [texts.email]: email, [texts.password]: goodPassword },
    texts.signIn,
    texts.mfaAsked,
  );
  return { ...shown, app, recovery_codes, person };
}

test('after the password a code is required: an incomplete and a wrong one are refused', async () => {
  const email = 'ada@react.example.com';
  const entered: string[] = [];
  const { app, named, submit } = await enterPassword(email, {
    onSignedIn: ({ user }) => entered.push(user.email),
  });
  expect(entered).toEqual([]);
  expect(auth?.session).toBeNull();
  await expect.poll(page.focused).toBe('code');
  expect(named('Code').getAttribute('autocomplete')).toBe('one-time-code');
  await submit({ Code: '12' }, 'Sign in');
  await expect.poll(() => named('Code').getAttribute('aria-invalid')).toBe('true');
  await submit({ Code: app.wrong() }, 'Sign in', english.codeWrong);
  const code = app.code();
  await submit({ Code: ` ${code.slice(0, 3)} ${code.slice(3)}` }, 'Sign in', `^${email}$`);
  expect(entered).toEqual([email]);
});

test('a recovery code completes the sign-in', async () => {
  const email = 'grace@react.example.com';
  const { recovery_codes, person, submit } = await enterPassword(email);
  await submit({ Code: (recovery_codes[0] ?? '').toUpperCase() }, 'Sign in', `^${email}$`);
  const { body } = await factorsOf(person).list();
  expect(body.result).toMatchObject([{ recovery_codes_left: 9 }]);
});

test('after a mailed code the code of the app is required', async () => {
  const email = 'kate@react.example.com';
  const person = await signUp(email);
  const { app } = await enrol(person, { current_password: goodPassword });
  const { submit, expectText } = await show({ methods: ['code'] });
  await submit({ 'E-mail': email }, 'Send me a code', 'We have sent a code');
  await submit({ Code: await mailed(email) }, 'Sign in', english.mfaAsked);
  await submit({ Code: app.code() }, 'Sign in');
  await expectText(`^${email}$`);
});

test('a change of the account during the sign-in leads to a new sign-in, in German', async () => {
  const email = 'emil@react.example.com';
  const shown = await enterPassword(email, {}, german);
  const { app, person, click, text, submit } = shown;
  await world.as(person).users.update({ uid: person.uid, display_name: 'Emil' });
  await submit({ Code: app.code() }, 'Anmelden', 'Melden Sie sich neu an');
  await click('Anderes Konto verwenden', 'Passwort');
  expect(text()).not.toContain(german.mfaAsked);
  await submit({ Passwort: goodPassword }, 'Anmelden', german.mfaAsked);
  await submit({ Code: app.code() }, 'Anmelden', `^${email}$`);
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
    await shown.submit({ [texts.email]: email, [texts.password]: goodPassword }, texts.signIn);
    return { ...shown, strict, entered };
  };
  const secretOf = (element: { querySelector(of: string): { textContent: string } | null }) =>
    (element.querySelector('[data-part=secret]')?.textContent ?? '').replaceAll(' ', '');

  test('adds one, keeps the recovery codes, and only then is signed in', async () => {
    const email = 'hedy@react.example.com';
    const { click, expectText, element, entered, strict, submit } = await begin(email);
    await expectText('You need a second factor here');
    await click('Add an app', 'Scan this');
    expect(element.querySelector('svg[role=img]')?.getAttribute('aria-label')).toContain('QR');
    const app = newApp(secretOf(element));
    await submit({ 'Code of the app': '12' }, 'Confirm', english.codeIncomplete);
    await submit({ 'Code of the app': app.wrong() }, 'Confirm', english.codeWrong);
    await submit({ 'Code of the app': app.code() }, 'Confirm', 'These are your recovery codes');
    const codes = [...element.querySelectorAll('[data-part=codes] li')].map(
      ({ textContent }) => textContent,
    );
    expect(codes).toHaveLength(10);
    // As without the permission.
    const refuse = () => Promise.reject(new Error('refused'));
    Object.assign(page.window.navigator.clipboard, { writeText: refuse });
    await click('Copy', 'did not work');
    // A signed-in page may show something else in place of the codes.
    expect([auth?.session, entered]).toEqual([null, []]);
    await click('I have kept them', `^${email}$`);
    expect(entered).toEqual([email]);
    const { body } = await strict.byPassword(email);
    expect(body.methods).toEqual(['totp', 'recovery_code']);
    const [recovery_code = ''] = codes;
    expect((await strict.finish(body, { recovery_code })).status).toBe(201);
  });

  test('sees an error, in German, if another enrolment has started, and can go back', async () => {
    const email = 'lise@react.example.com';
    const { click, expectText, element, strict, submit } = await begin(email, german);
    await expectText('Hier brauchen Sie einen zweiten Faktor');
    await click('App hinzufügen', 'Scannen Sie den QR-Code');
    const app = newApp(secretOf(element));
    await strict.startEnrolment((await strict.byPassword(email)).body);
    await submit(
      { 'Code der App': app.code() },
      'Bestätigen',
      'Brechen Sie ab und beginnen Sie neu',
    );
    await click('Abbrechen', 'Hier brauchen Sie einen zweiten Faktor');
    await click('Anderes Konto verwenden', 'Passwort');
    expect(auth?.session).toBeNull();
  });
});
