import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../../client/client.ts';
import { createCookieAuth } from '../../../client/cookie-session.ts';
import { factorsOf, signInByEnrolment, startEnrolment } from '../../../client/factors.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { factorProject, newApp } from '../../support/factors.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/** The second step of a sign-in whose session is in a cookie of a backend. */
const world = await startWorld();
const { project_id, signUp, enrol, mailed, post } = await factorProject(world);
const url = await startBackend({ url: world.url, projectId: project_id });

async function newUser(email: string) {
  const person = await signUp(email);
  const enrolled = await enrol(person, { current_password: goodPassword });
  const browser = openBrowser(url);
  const auth = createCookieAuth({ fetch: browser.browse, tabs: false });
  return { ...enrolled, browser, auth };
}
/** The token of a first step that requires a second one. */
async function tokenOf(signingIn: Promise<unknown>): Promise<string> {
  const error = await signingIn.catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError && error.code === 'mfa_required')) throw error;
  return String(error.problem['mfa_token']);
}

test('no cookie is set after the password or a wrong code, only after the right code', async () => {
  const email = 'ada@example.com';
  const { app, auth, browser } = await newUser(email);
  const mfa_token = await tokenOf(auth.signIn.password({ email, password: goodPassword }));
  expect([auth.session, browser.cookies.get('session')]).toEqual([null, undefined]);
  await expect(auth.signIn.mfa({ mfa_token, code: app.wrong() })).rejects.toMatchObject({
    ...{ status: 401, code: 'invalid_credentials' },
  });
  expect([auth.session, browser.cookies.get('session')]).toEqual([null, undefined]);
  const { user, user_created } = await auth.signIn.mfa({ mfa_token, code: app.code() });
  expect([user.email, user_created, auth.session?.user.email]).toEqual([email, false, email]);
  expect(browser.cookies.get('session')).toMatch(/^rt_/);
  const token = await auth.getAccessToken();
  expect((await world.call('GET', '/users/me', `Bearer ${token}`)).status).toBe(200);
  // The token is used.
  await expect(auth.signIn.mfa({ mfa_token, code: app.code(1) })).rejects.toMatchObject({
    code: 'mfa_token_invalid',
  });
});

test('setting a password by a mailed link needs the second factor, and a recovery code works', async () => {
  const email = 'grace@example.com';
  const { recovery_codes, auth, browser } = await newUser(email);
  await auth.forgotPassword({ email });
  const token = await mailed(email);
  const password = 'another horse battery staple';
  const mfa_token = await tokenOf(auth.signUp.complete({ token, password }));
  expect(browser.cookies.get('session')).toBeUndefined();
  await auth.signIn.mfa({ mfa_token, recovery_code: recovery_codes[0] });
  expect(auth.session?.user.email).toBe(email);
  expect((await post('/sessions/password', { email, password })).status).toBe(200);
});

test('the project sent by the page is ignored', async () => {
  const email = 'eve@example.com';
  const { app, auth } = await newUser(email);
  const mfa_token = await tokenOf(auth.signIn.password({ email, password: goodPassword }));
  const other = { mfa_token, code: app.code(), project_id: 'another' };
  await auth.signIn.mfa(other);
  expect(auth.session?.user.email).toBe(email);
});

test('adding a required app signs the page in only once the recovery codes are kept', async () => {
  const strict = await factorProject(world, { mfa: 'required' });
  const backend = await startBackend({ url: world.url, projectId: strict.project_id });
  const enrolling = async (email: string) => {
    await strict.signUpWithMfa(email);
    const browser = openBrowser(backend);
    const auth = createCookieAuth({ url: world.url, fetch: browser.browse, tabs: true });
    onTestFinished(auth.close);
    const mfa_token = await tokenOf(auth.signIn.password({ email, password: goodPassword }));
    const { secret } = await startEnrolment(auth, { mfa_token });
    return { auth, browser, proof: { mfa_token, code: newApp(secret).code() } };
  };
  const ada = await enrolling('ada@strict.example.com');
  let shown: readonly string[] = [];
  const entered = await signInByEnrolment(ada.auth, ada.proof, async (codes) => {
    shown = codes;
    expect(ada.auth.session).toBeNull();
  });
  expect([shown.length, entered.user.email]).toEqual([10, 'ada@strict.example.com']);
  expect(ada.auth.session?.user.email).toBe('ada@strict.example.com');
  expect(ada.browser.cookies.get('session')).toMatch(/^rt_/);
  expect((await factorsOf(ada.auth).factors.list()).body.total).toBe(1);

  // A user who signs out while the codes are shown is not signed in by confirming them.
  const bob = await enrolling('bob@strict.example.com');
  const late = signInByEnrolment(bob.auth, bob.proof, () => bob.auth.signOut());
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
  expect([bob.auth.session, bob.browser.cookies.get('session')]).toEqual([null, undefined]);

  // Another page's sign-out that gets the lock first ends another session.
  const eve = await enrolling('eve@strict.example.com');
  const other = createCookieAuth({ fetch: eve.browser.browse, tabs: true });
  onTestFinished(other.close);
  const out = other.signOut();
  await signInByEnrolment(eve.auth, eve.proof, async () => {});
  await out;
  expect(eve.auth.session?.user.email).toBe('eve@strict.example.com');
});
