/**
 * After the last test its pages still wait for lost responses. They would continue without a window, which fails the
 * run.
 *
 * @module-tag alone
 */
import { createElement, StrictMode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { AuthProvider, english, SignIn, type SignInProps, useUser } from '../../../client/react.ts';
import { cancels, personAt } from '../../support/providers.ts';
import { openPage } from '../../support/react-page.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { providersScene, type Tab } from '../providers/scene.ts';

/** `<SignIn/>` on the page to which a provider redirected back. */
const world = await startWorld();
const { ours, own, open, network } = await providersScene(world);
const page = await openPage();
afterEach(() => own.behave());

const User = () => useUser()?.email;
async function show(tab: Tab, props: SignInProps = {}) {
  const { auth, providers: signInProviders } = tab;
  const methods = ['code', 'provider'] as const;
  const inside = [
    createElement(SignIn, { methods, signInProviders, ...props, key: 1 }),
    createElement(User, { key: 2 }),
  ];
  return tab.use(() =>
    page.show(createElement(StrictMode, null, createElement(AuthProvider, { auth }, inside))),
  );
}
const cancelAtProvider = () => own.behave(cancels);
const signIn = (tab: Tab) => tab.away((providers) => providers.signIn('own'));
function newUser() {
  const person = personAt('oidc');
  own.is(person);
  return person;
}

test('a refusal is shown once, and not again after a later sign-out', async () => {
  const { email } = newUser();
  await ours.signUp(email);
  cancelAtProvider();
  const tab = open();
  tab.goTo(await signIn(tab));
  const shown = await show(tab);
  await shown.expectText('Own has not signed you in');
  await tab.auth.signIn.password({ email, password: goodPassword });
  await shown.expectText(`^${email}$`);
  await tab.auth.signOut();
  await shown.expectText('E-mail');
  expect(shown.text()).not.toContain('has not signed you in');
});

test('an error of the application in onSignedIn is logged, and does not prevent the sign-in', async () => {
  const { email } = newUser();
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const tab = open();
  tab.goTo(await signIn(tab));
  const mistake = new Error('of the application');
  const shown = await show(tab, {
    onSignedIn() {
      throw mistake;
    },
  });
  await shown.expectText(`^${email}$`);
  await expect.poll(() => logged.mock.calls).toEqual([[mistake]]);
  logged.mockRestore();
});

test('a temporary failure can be retried, or given up for another method', async () => {
  const { email } = newUser();
  const tab = open();
  for (const isGivenUp of [true, false]) {
    tab.goTo(await signIn(tab));
    network.isAway = true;
    const shown = await show(tab);
    await shown.expectText(english.network);
    // The button keeps the focus while it is busy.
    const again = shown.named('Try again');
    await shown.click('Try again');
    expect([shown.named('Try again'), again.getAttribute('aria-disabled')]).toEqual([
      again,
      'true',
    ]);
    await shown.expectText(english.network);
    network.isAway = false;
    await shown.click(
      isGivenUp ? 'Sign in another way' : 'Try again',
      isGivenUp ? 'E-mail' : `^${email}$`,
    );
    await shown.close();
    if (!isGivenUp) continue;
    const later = await show(tab);
    await later.expectText('E-mail');
    expect(tab.auth.session).toBeNull();
    await later.close();
  }
});

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['correct horse battery staple', null],
  ['p@ssw0rd', null],
  [`${'a'.repeat(309)}@example.com`, null],
  ['', null],
])('only an e-mail is sent to the provider as login_hint: %s', async (typed, hint) => {
  const tab = open();
  const shown = await show(tab);
  await shown.expectText('Continue with Own');
  await shown.submit({ 'E-mail': typed }, 'Continue with Own');
  await expect.poll(() => tab.state.left.length).toBe(1);
  expect(new URL(tab.state.left[0] ?? '').searchParams.get('login_hint')).toBe(hint);
});

test('an unverified e-mail, or another linked account of the provider, shows a message', async () => {
  const { email } = newUser();
  own.is({ sub: 'unproven', email, email_verified: false });
  const unproven = open();
  unproven.goTo(await signIn(unproven));
  const first = await show(unproven);
  await first.expectText(english.errors.identity_token_invalid ?? '-');
  own.is({ ...personAt('oidc'), sub: 'first', email, email_verified: true });
  const tab = open();
  tab.goTo(await signIn(tab));
  await tab.use((providers) => providers.finish());
  await tab.auth.signOut();
  own.is({ ...personAt('oidc'), sub: 'second', email, email_verified: true });
  tab.goTo(await signIn(tab));
  const second = await show(tab);
  await expect.poll(second.text).toContain(english.errors.identity_conflict);
});

test('the button and the refusal have the title that the page gives the provider', async () => {
  newUser();
  cancelAtProvider();
  const tab = open('page', { names: [{ name: 'own', title: 'Example Inc.' }] });
  tab.goTo(await signIn(tab));
  const shown = await show(tab);
  await shown.expectText('Example Inc. has not signed you in');
  await expect.poll(shown.text).toContain('Continue with Example Inc.');
});

test('retrying to load the providers keeps the button and the focus', async () => {
  let requests = 0;
  // The first attempt and its two retries fail; so does the second attempt.
  const failing: typeof fetch = (to, init) =>
    (requests += 1) > 6 ? fetch(to, init) : Promise.reject(new TypeError('no connection'));
  const shown = await show(open('page', { fetch: failing }));
  await shown.expectText(english.network);
  const again = shown.named('Try again');
  await shown.click('Try again');
  expect([shown.named('Try again'), again.getAttribute('aria-disabled')]).toEqual([again, 'true']);
  await shown.expectText(english.network);
  await shown.click('Try again', 'Continue with Own');
});
