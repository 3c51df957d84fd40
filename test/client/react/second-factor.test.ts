import { setTimeout } from 'node:timers/promises';
import { createElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Providers } from '../../../client/providers.ts';
import { LinkedAccounts, SecondFactor } from '../../../client/react.ts';
import { factorProject, newApp } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { reactScene } from './scene.ts';

/** What is open in the parts of an account stays while something else of the user changes, and while it is not known. */
const world = await startWorld();
const scene = await reactScene(world.url);
const people = await factorProject(world, { hosted_pages: true });
let number = 0;
const newEmail = () => `eve${(number += 1)}@second.example.com`;

/** Parts of a new user, who has a password if they have signed up by it. */
async function show(part: ReactNode, email = newEmail()) {
  /** Requests that fail, those that wait, and the addresses of those that were answered. */
  const line = { fails: '', waits: '', answered: [] as string[] };
  const auth = scene.open(people.project_id, {
    fetch: async (input, init) => {
      const request = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`;
      if (request === line.fails) throw new TypeError('Failed to fetch');
      while (line.waits && request.startsWith(line.waits)) await setTimeout(5);
      const answer = await fetch(input, init);
      line.answered.push(request);
      if (!request.endsWith('/users/me')) return answer;
      // Nobody signs in there in this file.
      const user = (await answer.json()) as { sign_in_methods: object };
      const sign_in_methods = { ...user.sign_in_methods, own: { enabled: true } };
      return Response.json({ ...user, sign_in_methods });
    },
  });
  await auth.signIn.code(await people.code(email));
  const shown = await scene.show(auth, part);
  /** Changes the user elsewhere, and has this page notice it. */
  async function change(display_name: string): Promise<void> {
    const uid = auth.session?.uid ?? '';
    await world.as(people.project).users.update({ uid, display_name });
    line.answered.length = 0;
    await auth.getAccessToken({ refused: await auth.getAccessToken() });
    expect(auth.session?.user.display_name).toBe(display_name);
    await expect.poll(() => line.answered).toContain('GET /users/me');
    // Milliseconds, enough for the other lists and for the page.
    await setTimeout(100);
  }
  return { ...shown, auth, email, line, change };
}
type Shown = Awaited<ReturnType<typeof show>>;

const list = 'GET /users/me/factors';
const codes = 'They are shown only now';
const kept = 'I have kept them';
const ownApp = createElement(SecondFactor, { methods: ['app'] });
async function startApp({ element, click }: Shown) {
  await click('Add an app', 'Code of the app');
  return newApp(element.querySelector('code')?.textContent.replaceAll(' ', '') ?? '');
}

test('recovery codes are shown until they are kept, whatever changes of the user meanwhile', async () => {
  const shown = await show(ownApp);
  const { auth, click, submit, expectText, text, change } = shown;
  await expectText('Add an app');
  const app = await startApp(shown);
  await submit({ 'Code of the app': app.code() }, 'Confirm', codes);
  await change('Eve');
  expect(text()).toContain(codes);
  await click(kept, 'The app is added.');
  await expectText('10 recovery codes are left.');
  await people.rest(auth.session?.uid ?? '');
  const proof = { 'Code of the app, or a recovery code': app.code() };
  await submit(proof, 'New recovery codes', codes);
  await change('Eva');
  expect(text()).toContain(codes);
  await click(kept, '10 recovery codes are left.');
});

test('what is open of an app stays while the service cannot be reached', async () => {
  const shown = await show(ownApp);
  const { line, click, submit, expectText, text, change } = shown;
  await expectText('Add an app');
  const app = await startApp(shown);
  line.fails = list;
  await change('Eve');
  await expectText('The service cannot be reached.');
  await submit({ 'Code of the app': app.code() }, 'Confirm', codes);
  line.fails = '';
  await click('Try again');
  await expect.poll(text).not.toContain('The service cannot be reached.');
  expect(text()).toContain(codes);
  line.fails = list;
  await click(kept, 'The app is added.');
  await change('Eva');
  await expectText('The service cannot be reached.');
  expect(text()).toContain('10 recovery codes are left.');
});

test('the secret of an app stays when another tab sets the first password', async () => {
  const shown = await show(ownApp);
  const { auth, email, line, named, expectText } = shown;
  await expectText('Add an app');
  await startApp(shown);
  await auth.forgotPassword({ email });
  const tab = scene.open(people.project_id);
  const token = await people.mailed(email);
  line.waits = 'GET /projects/';
  await tab.signUp.complete({ token, password: goodPassword });
  await expect.poll(() => auth.session?.user.sign_in_methods?.['idpw']?.enabled).toBe(true);
  await expect.poll(() => line.answered.filter((each) => each === list)).toHaveLength(2);
  await setTimeout(100);
  expect(named('Code of the app')).toBeDefined();
  line.waits = '';
});

test('who unlinks an account before it is known whether a password is asked for, is asked for it', async () => {
  const providers = { returnedFrom: () => undefined, offered: async () => [] };
  const part = createElement(LinkedAccounts, { providers: providers as unknown as Providers });
  const { email } = await people.signUp(newEmail());
  const { line, click, expectText, named } = await show(part, email);
  line.waits = 'GET /projects/';
  await expectText('Own');
  await click('Unlink Own', 'Enter your password.');
  expect(named('Password').getAttribute('aria-invalid')).toBe('true');
  line.waits = '';
});
