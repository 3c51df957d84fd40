import { createElement, type FunctionComponent } from 'react';
import { beforeEach, expect, test } from 'vitest';
import type { Auth } from '../../../client/auth.ts';
import { withReauthentication } from '../../../client/react/reauthentication.ts';
import {
  english,
  german,
  SecondFactor,
  useAuth,
  useReauthentication,
} from '../../../client/react.ts';
import { ageAll, factorProject, giveApp, newApp } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';
import { reactScene, User } from './scene.ts';

/** The reauthentication dialog, and the management of the second factor, which requires it. */
const world = await startWorld();
const people = await factorProject(world, { recent_sign_in: true });
const scene = await reactScene(world.url);
let auth: Auth | undefined;
let said: string[] = [];
beforeEach(() => {
  said = [];
});

const changed = 'changed@again.example.com';
function Change() {
  const { api } = useAuth();
  const onClick = () =>
    void api.emails.change({ email: changed, current_password: goodPassword }).then(
      () => said.push('changed'),
      ({ code }: { code: string }) => said.push(code),
    );
  return createElement('button', { onClick }, 'Change');
}
function Backend() {
  const ask = useReauthentication();
  const onClick = () => void ask().then((token) => said.push(token ?? 'none'));
  return createElement('button', { onClick }, 'Backend');
}

const partOf = (component: FunctionComponent, key: number) => createElement(component, { key });
/** A user who signed in an hour ago, on a page with these components. */
async function show(
  email: string,
  {
    app = false,
    texts = english,
    parts = [Change, Backend] as FunctionComponent[],
    at = people,
  } = {},
) {
  const person = await at.signUp(email);
  const enrolled = app
    ? await people.enrol(person, { current_password: goodPassword })
    : { app: newApp('A'.repeat(32)), recovery_codes: [''] };
  auth = scene.open(at.project_id);
  if (app) {
    const { body } = await people.byPassword(email);
    await people.rest(person.uid);
    await auth.signIn.mfa({ mfa_token: body.mfa_token, code: enrolled.app.code() });
    await people.rest(person.uid);
  } else await auth.signIn.password({ email, password: goodPassword });
  await ageAll(world, person);
  const shown = await scene.show(auth, [...parts, User].map(partOf), texts);
  await shown.expectText(email);
  const isOpen = () => shown.element.querySelector('dialog[open]') !== null;
  return { ...shown, ...enrolled, person, isOpen };
}

test('a session object that the application has frozen is taken too', () => {
  const frozen = Object.freeze(scene.open(people.project_id));
  const asking = withReauthentication(frozen, async () => undefined);
  expect(asking.api).not.toBe(frozen.api);
  expect(asking.session).toBe(frozen.session);
});

test('a call that needs a recent sign-in asks for the password, then is repeated', async () => {
  const { click, element, isOpen, named, submit } = await show('ada@again.example.com');
  await click('Change', 'Confirm that it is you');
  expect(isOpen()).toBe(true);
  expect(element.querySelector('dialog')?.getAttribute('aria-label')).toBe('Is it you?');
  await click('Go on', english.passwordMissing);
  await submit({ Password: 'wrong' }, 'Go on', 'The password is wrong.');
  expect(named('Password').getAttribute('aria-invalid')).toBe('true');
  expect(said).toEqual([]);
  await submit({ Password: goodPassword }, 'Go on');
  await expect.poll(() => said).toEqual(['changed']);
  expect(isOpen()).toBe(false);
  // The sign-in is recent now.
  await click('Change');
  await expect.poll(() => said).toEqual(['changed', 'changed']);
});

test('after a cancel all pending calls fail with the original error', async () => {
  const { click, isOpen } = await show('bob@again.example.com');
  await click('Change');
  await click('Change', 'Confirm that it is you');
  await click('Cancel');
  await expect.poll(() => said).toEqual(['reauthentication_required', 'reauthentication_required']);
  expect(isOpen()).toBe(false);
});

test('a user with an app enters its code, in German, and the backend gets a token with a recent auth_time', async () => {
  const shown = await show('emil@again.example.com', { app: true, texts: german });
  const { click, app, text, submit } = shown;
  await click('Backend', 'Bestätigen Sie hierfür, dass Sie es sind');
  expect(text()).not.toContain('Passwort');
  await submit(
    { 'Code der App oder ein Wiederherstellungscode': app.wrong() },
    'Weiter',
    german.codeWrong,
  );
  await submit({ 'Code der App oder ein Wiederherstellungscode': app.code() }, 'Weiter');
  await expect.poll(() => said.length).toBe(1);
  const [, claims = ''] = (said[0] ?? '').split('.');
  const { auth_time } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    auth_time: number;
  };
  expect(Math.abs(Date.now() / 1_000 - auth_time)).toBeLessThan(60);
});

test('a user with an app that the project has turned off enters the password', async () => {
  const email = 'off@again.example.com';
  const off = await factorProject(world, { recent_sign_in: true, mfa: 'off' });
  const shown = await show(email, { at: off });
  const { click, named, person, element, submit } = shown;
  await giveApp(world, person);
  await click('Change', 'Confirm that it is you');
  await submit(
    { 'Code of the app, or a recovery code': '123456' },
    'Go on',
    english.errors.sign_in_method_disabled ?? '',
  );
  expect(named('Password').getAttribute('autocomplete')).toBe('current-password');
  expect(element.querySelector('[autocomplete=one-time-code]')).toBeNull();
  await submit({ Password: goodPassword }, 'Go on');
  await expect.poll(() => said).toEqual(['changed']);
});

test('the dialog closes with the session, and nothing is repeated as another user', async () => {
  const { click, expectText, isOpen } = await show('eve@again.example.com');
  await click('Change', 'Confirm that it is you');
  const { email } = await people.signUp('mallory@again.example.com');
  await auth?.signIn.password({ email, password: goodPassword });
  await expect.poll(() => said).toEqual(['reauthentication_required']);
  await expectText(email);
  expect(isOpen()).toBe(false);
});

test('closing the page ends calls that wait for the dialog', async () => {
  const { click, close } = await show('gone@again.example.com');
  await click('Change', 'Confirm that it is you');
  await close();
  await expect.poll(() => said).toEqual(['reauthentication_required']);
});

test('a user without password and app is asked to sign in again', async () => {
  const email = 'carl@again.example.com';
  const { challenge_id, code } = await people.code(email);
  auth = scene.open(people.project_id);
  const { user } = await auth.signIn.code({ challenge_id, code });
  await ageAll(world, user);
  const { click, expectText } = await scene.show(auth, [Backend, User].map(partOf));
  await expectText(email);
  await click('Backend', 'Sign out and sign in again');
  await click('Sign out', '^Backend$');
  await expect.poll(() => said).toEqual(['none']);
});

test('a project without passwords never asks for one', async () => {
  const email = 'grace@again.example.com';
  const of = await factorProject(world, { hosted_pages: true, passkeys: true });
  await of.signUp(email);
  const { project_id } = of;
  await world.operate({ action: 'update', project_id, password_sign_in: false });
  // The instances have loaded the new settings.
  pass(61_000);
  auth = scene.open(project_id);
  await auth.signIn.code(await of.code(email));
  const { click, expectText, text } = await scene.show(auth, createElement(SecondFactor));
  await expectText('Add an app');
  expect(text()).not.toContain('Password');
  await click('Add an app', 'Scan this');
});
