import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, test } from 'vitest';
import { type Auth, createAuth } from '../../../client/auth.ts';
import { createLinks } from '../../../client/links.ts';
import { later } from '../../../client/react/later.ts';
import { SignInForm } from '../../../client/react/sign-in-form.ts';
import { partOf } from '../../../client/react/style.ts';
import {
  AuthProvider,
  english,
  french,
  german,
  SignIn,
  type SignInProps,
  spanish,
  type Texts,
} from '../../../client/react.ts';
import type { Language } from '../../../shared/model/languages.ts';
import { limits } from '../../../shared/model/limits.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { reactScene, User, within } from './scene.ts';

const world = await startWorld();
const hub = await startOpenidProvider();
const { issuer, jwks_uri, client_id } = hub;
const { project_id, mailed, mailTo, signUp } = await signInProject(world, {
  identity_providers: { examplehub: { issuer, jwks_uri, client_ids: [client_id] } },
});
const scene = await reactScene(world.url);
const { page } = scene;
let line: typeof fetch = fetch;
let auth: Auth | undefined;
let number = 0;

afterEach(() => {
  line = fetch;
  page.window.history.replaceState(null, '');
});

async function show(
  props: SignInProps = {},
  texts = english,
  first = props.methods?.join() === 'identity' ? 'Continue' : texts.email,
) {
  auth = scene.open(project_id, { fetch: (...call) => line(...call) });
  const inside = [createElement(SignIn, { ...props, key: 1 }), createElement(User, { key: 2 })];
  const shown = await scene.show(auth, inside, texts);
  await shown.expectText(first);
  return { ...shown, email: `linus${(number += 1)}@react.example.com` };
}

test('a user signs in by a mailed code, after a wrong one', async () => {
  const signedIn: string[] = [];
  const { email, named, text, submit } = await show({
    onSignedIn: ({ user }) => signedIn.push(user.email),
  });
  expect(named('E-mail').getAttribute('autocomplete')).toBe('email');
  await submit({ 'E-mail': ` ${email} ` }, 'Send me a code', `We have sent a code to ${email}\\.`);
  expect(named('Code').getAttribute('autocomplete')).toBe('one-time-code');
  await expect.poll(page.focused).toBe('code');
  const code = await mailed(email);
  await submit(
    { Code: code === '123456' ? '123457' : '123456' },
    'Sign in',
    'The code is wrong or has expired',
  );
  expect(named('Code').getAttribute('aria-invalid')).toBe('true');
  const described = named('Code').getAttribute('aria-describedby') ?? '';
  expect(page.window.document.getElementById(described)?.textContent).toBe(english.codeWrong);
  await submit({ Code: `${code.slice(0, 3)} ${code.slice(3)}` }, 'Sign in', `^${email}$`);
  expect([signedIn, text()]).toEqual([[email], email]);
});

test('after a reload the form for the mailed code is shown again, until the code is used or cancelled', async () => {
  const { history } = page.window;
  const before = await show();
  const { email } = before;
  const askForCode = async ({ submit }: typeof before) => {
    await submit({ 'E-mail': email }, 'Send me a code', 'We have sent a code to');
  };
  await askForCode(before);
  await mailed(email);
  await before.close();
  const again = await show({}, english, `We have sent a code to ${email}\\.`);
  await again.click('Use another e-mail');
  await again.close();
  const third = await show();
  await askForCode(third);
  const code = await mailed(email);
  await third.close();
  const { submit } = await show({}, english, 'We have sent a code to');
  await submit({ Code: code }, 'Sign in', `^${email}$`);
  expect(JSON.stringify(history.state)).toBe('{}');
});

test('a user signs in by password, and the first invalid field gets the focus', async () => {
  const { email, click, named, submit } = await show();
  await signUp(email);
  await click('Use a password');
  await click('Sign in', english.emailInvalid);
  await expect.poll(page.focused).toBe('email');
  await submit({ 'E-mail': email }, 'Sign in', english.passwordMissing);
  await expect.poll(page.focused).toBe('password');
  expect(named('E-mail').getAttribute('aria-invalid')).toBe('false');
  expect(named('Password').getAttribute('autocomplete')).toBe('current-password');
  // Longer than the service accepts.
  await submit({ Password: 'x'.repeat(limits.password.max + 1) }, 'Sign in', english.passwordWrong);
  const isWrong = (name: string) => named(name).getAttribute('aria-invalid');
  expect([isWrong('E-mail'), isWrong('Password')]).toEqual(['false', 'true']);
  await submit({ Password: 'not the password' }, 'Sign in', english.passwordWrong);
  await submit({ Password: goodPassword }, 'Sign in', `^${email}$`);
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

test('the message about a mail for a forgotten password does not reveal whether the account exists', async () => {
  const { email, element, submit } = await show({ methods: ['password'] });
  await submit({ 'E-mail': email }, 'Forgot your password?', english.resetSent);
  expect(element.querySelector('[role=status]')?.textContent).toBe(english.resetSent);
  expect(element.textContent).not.toContain(english.useCode);
});

describe('a user without an account', () => {
  test('creates one by a mailed code', async () => {
    const created: boolean[] = [];
    const { email, click, submit } = await show({
      signUp: true,
      onSignedIn: ({ user_created }) => created.push(user_created),
    });
    await click('Create an account');
    await expect.poll(page.focused).toBe('email');
    await submit({ 'E-mail': email }, 'Send me a code', 'We have sent a code');
    await submit({ Code: await mailed(email) }, 'Create an account', `^${email}$`);
    expect(created).toEqual([true]);
  });

  test('gets a mailed link to set their password, and can go back', async () => {
    const { email, click, expectText, text, submit } = await show({
      methods: ['password'],
      signUp: true,
    });
    await click('Create an account');
    expect(text()).not.toContain('Password');
    await click('Send me a link', english.emailInvalid);
    await submit({ 'E-mail': email }, 'Send me a link', `We have sent a mail to ${email}\\.`);
    const mail = await mailTo(email);
    const [, token = ''] = /#token=(\S+)/.exec(mail?.text ?? '') ?? [];
    await click('I have an account', 'Password');
    await auth?.signUp.complete({ token, password: goodPassword });
    await expectText(`^${email}$`);
  });

  test('cannot create one by default', async () => {
    expect((await show()).text()).not.toContain('Create an account');
  });
});

describe('an identity provider', () => {
  const provider = { provider: 'examplehub', title: 'Example Hub' };
  const button = 'Continue with Example Hub';
  const refused = (): never => {
    throw new DOMException('They have closed the window', 'AbortError');
  };

  test('has a button that signs in with its token', async () => {
    const email = 'grace@hub.example.com';
    const nonce = 'a-nonce-of-the-page';
    const getIdToken = async () => {
      const id_token = await hub.idToken({ sub: 'grace', email, email_verified: true, nonce });
      return { id_token, nonce };
    };
    const methods = ['identity', 'code'] as const;
    const { click, expectText } = await show({ methods, providers: [{ ...provider, getIdToken }] });
    await click(button);
    await expectText(`^${email}$`);
  });

  test('can be the only method, without a form for an e-mail', async () => {
    const given = { ...provider, getIdToken: async () => refused() };
    const { click, element, text } = await show({ methods: ['identity'], providers: [given] });
    const before = text();
    await click(button);
    // A user who cancels sees no message.
    expect([text(), element.querySelector('input')]).toEqual([before, null]);
  });

  test('whose token is invalid shows a message', async () => {
    const getIdToken = async () => ({ id_token: hub.forge({ email: 'eve@hub.example.com' }) });
    const given = [{ ...provider, getIdToken }];
    const { click, expectText } = await show({ methods: ['code', 'identity'], providers: given });
    await click(button);
    await expectText('The provider did not confirm who you are');
  });

  test.each([
    ['its own errors', new AggregateError([new Error('blocked'), null])],
    ['errors by field', Object.assign(new Error('refused'), { errors: { email: ['is taken'] } })],
    ['a pointer of another kind', { errors: [{ pointer: ['email'] }] }],
    ['nothing', undefined],
  ])('whose script throws %s shows a message', async (_, failure) => {
    const getIdToken = () => Promise.reject(failure);
    const given = [{ ...provider, getIdToken }];
    const { click, expectText } = await show({ methods: ['code', 'identity'], providers: given });
    await click(button);
    await expectText('That did not work');
  });

  test('is not offered if the methods do not include it', async () => {
    const given = { ...provider, getIdToken: async () => refused() };
    expect((await show({ providers: [given] })).text()).not.toContain(button);
  });
});

const answers = (status: number, code: string, headers = {}) =>
  Response.json({ code, request_id: 'r1' }, { status, headers });
test.each([
  ['a network failure', () => Promise.reject(new TypeError('fetch failed')), english.network],
  [
    'a rate limit of minutes',
    async () => answers(429, 'too_many_requests', { 'retry-after': '300' }),
    '5 minutes',
  ],
  [
    'a rate limit of one second',
    async () => answers(429, 'too_many_requests', { 'retry-after': '1' }),
    '1 second\\.',
  ],
  ['a disabled user', async () => answers(403, 'user_disabled'), 'has been disabled'],
  ['an invalid address', async () => answers(400, 'invalid_request'), english.emailInvalid],
  ['an error without its own text', async () => answers(500, 'internal_error'), 'did not work.*r1'],
])('%s shows a message', { timeout: 15_000 }, async (_, answer, words) => {
  line = answer;
  const { element, submit } = await show();
  await submit({ 'E-mail': 'ada@react.example.com' }, 'Send me a code');
  await expect
    .poll(() => element.querySelector('[role=alert]')?.textContent, { timeout: 9_000 })
    .toMatch(new RegExp(words.replace('?', '.')));
});

test('className replaces the default style, and texts the language', async () => {
  const { element, named } = await show({ className: 'mine' }, german);
  expect(element.querySelector('form.mine')).not.toBeNull();
  expect(element.querySelectorAll('[style]')).toHaveLength(0);
  expect(named('Code zusenden').tagName).toBe('BUTTON');
  const plain = await show();
  expect(plain.element.querySelectorAll('[style]').length).toBeGreaterThan(3);
});

/** Each language of mails and hosted pages has one. */
const allTexts: Record<Language, Texts> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

test.each(Object.entries(allTexts))('%s has every text, in its own words', async (name, texts) => {
  expect(Object.keys(texts.errors)).toEqual(Object.keys(english.errors));
  const [strong, own] = [await english.strong(), await texts.strong()];
  expect(Object.keys(own.errors)).toEqual(Object.keys(strong.errors));
  expect(Object.keys(own)).toEqual(Object.keys(strong));
  if (name === 'en') return;
  const same = Object.entries(texts.errors).filter(
    ([code, text]) => text === english.errors[code as keyof typeof english.errors],
  );
  expect(same).toEqual([]);
  const at = new Date(2026, 2, 12);
  expect(own.date(at)).toBe(at.toLocaleDateString(name, { dateStyle: 'medium' }));
  expect([texts.total(1), texts.total(2)]).not.toContain(english.total(2));
});

test('the first of a month is an ordinal number in French', async () => {
  const own = await french.strong();
  const first = new Date(2026, 2, 1);
  expect(own.date(first)).toBe('1er mars 2026');
  expect(own.time(first)).toMatch(/^1er mars 2026\b/);
  expect(own.date(new Date(2026, 2, 11))).toBe('11 mars 2026');
});

test('methods of which none has what it needs are a mistake of the application', () => {
  const node = (methods: SignInProps['methods']) =>
    createElement(
      AuthProvider,
      { auth: createAuth({ url: world.url, projectId: project_id }) },
      createElement(SignInForm, { methods, refusal: undefined }),
    );
  for (const methods of [['link'], ['provider', 'link']] as const)
    expect(() => renderToString(node(methods))).toThrow('needs links or signInProviders');
  expect(renderToString(node(['code', 'link']))).toContain(english.sendCode);
});

test('links that come late show their form, also at an address with a part of a link', async () => {
  page.window.history.replaceState(null, '', '/#link_id=l');
  const props = { methods: ['link'] as const, links: undefined };
  const { text, rerender, expectText } = await show(props, english, '^$');
  await expect.poll(() => auth?.session).toBeNull();
  const service = { url: world.url, projectId: project_id };
  const given = auth ?? createAuth(service);
  const links = createLinks({ ...service, auth: given });
  await rerender(within(given, [createElement(SignIn, { ...props, links, key: 1 })]));
  await expectText(`^${english.email}${english.sendLink}$`);
  page.window.history.replaceState(null, '', '/');
  expect(text()).not.toContain(english.loading);
});

/** A part that is loaded later, and shows a text of the language. */
function partInLanguages() {
  const Part = later(
    async () =>
      ({ words }) =>
        words.sessions,
  );
  const session = createAuth({ url: world.url, projectId: project_id });
  const inLanguage = (texts: typeof english) =>
    createElement(
      AuthProvider,
      { auth: session, texts },
      createElement(Part, { part: partOf({}) }),
    );
  return { session, inLanguage };
}

test('texts that load late do not replace those of a newer language', async () => {
  const slow = Promise.withResolvers<void>();
  const late = { ...english, strong: () => slow.promise.then(english.strong) };
  const { session, inLanguage } = partInLanguages();
  const shown = await page.show(inLanguage(late));
  await shown.rerender(inLanguage(german));
  const { sessions } = await german.strong();
  await shown.expectText(sessions);
  slow.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(shown.text()).toBe(sessions);
  session.close();
});

test('only the button of a failed part loads the page again, which the user may refuse', async () => {
  const { location } = page.window;
  let reloads = 0;
  location.reload = () => {
    reloads += 1;
  };
  let isCut = true;
  const strong = async () => {
    if (isCut) throw new TypeError('cut');
    return english.strong();
  };
  const flaky = { ...english, strong };
  const { session, inLanguage } = partInLanguages();
  const shown = await page.show(inLanguage(flaky));
  await shown.expectText(english.again);
  await shown.click(english.again);
  // The page stays where a `beforeunload` of the application asks and the user says no.
  await shown.expectText(english.again);
  expect(reloads).toBe(1);
  isCut = false;
  await shown.click(english.again, (await english.strong()).sessions);
  isCut = true;
  await shown.rerender(inLanguage({ ...flaky }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reloads).toBe(1);
  session.close();
});
