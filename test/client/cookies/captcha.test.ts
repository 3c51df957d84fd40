import { expect, test } from 'vitest';
import type { SolveCaptcha } from '../../../client/captcha/with-captcha.ts';
import { createCookieAuth } from '../../../client/cookie-session.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from '../../support/siteverify.ts';
import { startWorld } from '../../support/world.ts';

/**
 * A captcha where a backend keeps the session in a cookie: the page solves it and sends the token through the backend.
 */
const world = await startWorld();
const provider = await startSiteverify();
const email = 'cookie@captcha.example.com';
const captcha = provider.setting();
const ours = await signInProject(world, { captcha });
const { project_id } = ours;
await setCaptchaKeys([provider.keyOf(project_id, captcha)]);
const url = await startBackend({ url: world.url, projectId: project_id });

/** A page that solves its captchas with this function. */
function open(solve?: SolveCaptcha) {
  const { browse, cookies } = openBrowser(url);
  return { auth: createCookieAuth({ fetch: browse, tabs: false, captcha: solve }), cookies };
}

/** Solves each captcha and records the requests. */
function solver() {
  const asked: Parameters<SolveCaptcha>[0][] = [];
  const solve: SolveCaptcha = async (each) => {
    asked.push(each);
    return provider.solve({ hostname: 'www.example.com', action: each.action });
  };
  return { asked, solve };
}

test('every call that needs a captcha is repeated with its token', async () => {
  const { asked, solve } = solver();
  const { auth, cookies } = open(solve);
  await auth.signUp.start({ email });
  await auth.signUp.complete({ token: await ours.mailed(email), password: goodPassword });
  await auth.signIn.password({ email, password: goodPassword });
  expect([auth.session?.user.email, cookies.get('session')]).toEqual([
    email,
    expect.stringMatching(/^rt_/),
  ]);
  await auth.forgotPassword({ email });
  await auth.signIn.startCode({ email: `code-${email}` });
  const { provider: name, site_key } = captcha;
  const actions = ['sign_up', 'sign_in', 'reset_password', 'code'];
  expect(asked).toEqual(actions.map((action) => ({ provider: name, site_key, action })));
  const sent = provider.asked.map(({ fields }) => fields.get('response'));
  expect(new Set(sent).size).toBe(actions.length);
});

test('a token that the application has got by itself is sent with the first try', async () => {
  const { asked, solve } = solver();
  const { auth } = open(solve);
  const input = {
    email,
    captcha_token: provider.solve({
      hostname: 'www.example.com',
      action: 'reset_password',
    }),
  };
  await auth.forgotPassword(input);
  expect(asked).toEqual([]);
});

test('a refused captcha token is replaced by another, up to three in total', async () => {
  let shown = 0;
  const { auth } = open(async () => `made-up-${(shown += 1)}`);
  await expect(auth.signIn.password({ email, password: goodPassword })).rejects.toMatchObject({
    ...{ status: 400, code: 'captcha_invalid' },
  });
  expect([shown, auth.session]).toEqual([3, null]);
});

test.each([
  ['the user does not solve the captcha', async () => undefined],
  ['the page cannot show captchas', undefined],
])('the page gets the refusal if %s', async (_, solve) => {
  const { auth, cookies } = open(solve);
  await expect(auth.signIn.password({ email, password: goodPassword })).rejects.toMatchObject({
    ...{ status: 403, code: 'captcha_required' },
    problem: { provider: captcha.provider, site_key: captcha.site_key },
  });
  expect(cookies.has('session')).toBe(false);
});
