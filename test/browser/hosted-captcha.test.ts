import { afterEach, describe, expect, test } from 'vitest';
import type { Captcha } from '../../shared/access/projects.ts';
import type { PageName } from '../../shared/contract/pages.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from '../support/siteverify.ts';
import { startWorld } from '../support/world.ts';
import { expectAccessible, expectWellMade, type Opened, useBrowser, type View } from './browser.ts';
import { expectFits, reachProvider, solveAt, widget } from './captcha-stage.ts';
import { allow, field, heading, press, says, visit } from './hosted-stage.ts';

/** Captchas on the hosted pages: the provider's widget has its own document, in a dialog. */
const world = await startWorld();
const provider = await startSiteverify();
const { open } = useBrowser();
/** The host name for which the projects accept captchas. */
const origin = world.url.replace('127.0.0.1', 'localhost');
afterEach(() => provider.answer());

const project = async (more: Partial<Captcha>) => {
  const captcha = provider.setting({ hostnames: ['localhost'], ...more });
  return { captcha, ...(await signInProject(world, { hosted_pages: true, captcha })) };
};
const projects = {
  turnstile: await project({}),
  hcaptcha: await project({ provider: 'hcaptcha' }),
  recaptcha: await project({ provider: 'recaptcha' }),
  failures: await project({ rule: 'after_failures', failures: 3 }),
};
// Once, because the service caches the keys for 5 minutes.
await setCaptchaKeys(
  Object.values(projects).map(({ project_id, captcha }) => provider.keyOf(project_id, captcha)),
);

let people = 0;
/** A project with a captcha, an unused e-mail, and a browser that reaches the provider. */
async function place(which: keyof typeof projects = 'turnstile', view: View = {}) {
  const { project_id, signUp } = projects[which];
  people += 1;
  provider.asked.length = 0;
  const opened = await open(view);
  const reach = await reachProvider(opened, provider);
  // Sign-in pages request the session, which fails for a signed-out visitor.
  opened.allowed.push('/session/token');
  const visits = (page: PageName, query = '') =>
    visit(opened, `${origin}/pages/${project_id}/${page}${query}`);
  return { project_id, signUp, opened, reach, visits, email: `person${people}@example.com` };
}
const dialog = ({ page }: Opened) => page.getByRole('dialog');
const solve = async (opened: Opened, provided: Captcha['provider'] = 'turnstile') => {
  await solveAt(opened, true, provided);
  await dialog(opened).waitFor({ state: 'detached' });
};
/**
 * Solves a captcha whose token the service refuses. It does not wait for the dialog to disappear, because the next one
 * may replace it at once.
 */
const solveInVain = async (opened: Opened) => {
  const asked = provider.asked.length;
  await solveAt(opened, true, 'turnstile');
  await expect.poll(() => provider.asked.length).toBe(asked + 1);
};
/** Submits a form that requires a captcha. */
const ask = async (opened: Opened, submit: string, email: string) => {
  await field(opened, 'E-mail').fill(email);
  await press(opened, submit);
  await widget(opened, true).waitFor();
  allow(opened, '403');
};
const tokens = () => provider.asked.map(({ fields }) => fields.get('response'));

test('after wrong passwords the sign-in requires a captcha, and keeps what was typed', async () => {
  const { opened, visits, signUp, email } = await place('failures');
  await signUp(email);
  await visits('sign-in');
  await field(opened, 'E-mail').fill(email);
  for (let i = 0; i < 3; i += 1) {
    await field(opened, 'Password').fill(`wrong ${i}`);
    await press(opened, 'Sign in');
    await says(opened, 'The e-mail or the password is wrong.');
  }
  allow(opened, '401');
  // Nothing of the provider is loaded for users who need no captcha.
  expect(opened.page.frames()).toHaveLength(1);
  await field(opened, 'Password').fill(goodPassword);
  await ask(opened, 'Sign in', email);
  await solve(opened);
  await heading(opened, 'Account');
  expect(tokens()).toHaveLength(1);
});

test.each<[page: PageName, before: string, submit: string, outcome: string]>([
  ['sign-up', '', 'Send me a link', 'We have sent a mail to '],
  ['forgotten-password', '', 'Send me a link', 'If there is an account for '],
  ['sign-in', 'Use a code by e-mail', 'Send me a code', 'We have sent a code to '],
  ['sign-in', 'Use a link by e-mail', 'Send me a link', 'We have sent a link to '],
])('%s %s: requires a captcha, then sends the mail', async (page, before, submit, outcome) => {
  const { opened, visits, email } = await place();
  await visits(page);
  if (before) await press(opened, before);
  await ask(opened, submit, email);
  expect(tokens()).toEqual([]);
  await solve(opened);
  await says(opened, `${outcome}${email}`);
  expect(tokens()).toHaveLength(1);
});

describe.each(['turnstile', 'hcaptcha', 'recaptcha'] as const)('%s', (name) => {
  test.each([false, true])('the widget has the colours of the page, dark: %s', async (dark) => {
    const { opened, visits, email } = await place(name, { width: 390, dark });
    await visits('forgotten-password');
    await ask(opened, 'Send me a link', email);
    await expect
      .poll(() => widget(opened, true).innerText())
      .toBe(`I am a person (en, ${dark ? 'dark' : 'light'})`);
    // The widget is shown in both schemes, so each is checked in its own.
    await expectAccessible(opened);
    await opened.picture(`captcha-${name}`);
    await solve(opened, name);
    await says(opened, `If there is an account for ${email}`);
  });
});

test.each([320, 362, 390])('the widget fits the window at %i pixels', async (width) => {
  const { opened, visits, email } = await place();
  await opened.page.setViewportSize({ width, height: 800 });
  await visits('forgotten-password');
  await ask(opened, 'Send me a link', email);
  await expectFits(opened, true, width);
});

test('the captcha is available in German, and can be solved with the keyboard only', async () => {
  const { opened, visits, email } = await place('turnstile', { width: 390 });
  const { page } = opened;
  await visits('forgotten-password', '?ui_locales=de');
  await field(opened, 'E-Mail').fill(email);
  await page.keyboard.press('Enter');
  await says(opened, 'Bestätigen Sie, dass Sie ein Mensch sind');
  await expect.poll(() => widget(opened, true).innerText()).toBe('I am a person (de, light)');
  await expectWellMade(opened, 'captcha-de');
  await page.keyboard.press('Escape');
  await says(opened, 'Bestätigen Sie zuerst, dass Sie ein Mensch sind.');
  await expectWellMade(opened, 'captcha-closed-de');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await widget(opened, true).focus();
  await page.keyboard.press('Enter');
  await says(opened, email);
  allow(opened, '403');
});

test('a refused token shows the captcha again, up to three times', async () => {
  const { opened, visits, email } = await place();
  const refuse = () =>
    provider.answer((response) =>
      response.end('{"success":false,"error-codes":["timeout-or-duplicate"]}'),
    );
  await visits('forgotten-password');
  refuse();
  await ask(opened, 'Send me a link', email);
  await solveInVain(opened);
  await widget(opened, true).waitFor();
  provider.answer();
  await solve(opened);
  allow(opened, '400');
  await says(opened, `If there is an account for ${email}`);
  expect(new Set(tokens()).size).toBe(2);
  await press(opened, 'Send it again');
  refuse();
  await ask(opened, 'Send me a link', email);
  for (let i = 0; i < 3; i += 1) await solveInVain(opened);
  await says(opened, 'The check was not accepted. Try again.');
});

test('if the service cannot reach the provider, the page says so, and a retry sends a new token', async () => {
  const { opened, visits, email } = await place();
  await visits('forgotten-password');
  // The client does not retry by itself: the token may already be used.
  provider.answer((response) => response.writeHead(500).end());
  await ask(opened, 'Send me a link', email);
  await solve(opened);
  await says(opened, 'The service is not available right now.');
  allow(opened, '503');
  const before = tokens();
  expect(before).toHaveLength(1);
  provider.answer();
  await ask(opened, 'Send me a link', email);
  await solve(opened);
  await says(opened, `If there is an account for ${email}`);
  expect(before).not.toContain(tokens().at(-1));
});

test('a script that fails to load can be loaded again', async () => {
  const { opened, visits, reach, email } = await place('turnstile', { width: 390, dark: true });
  await visits('forgotten-password');
  reach(false);
  opened.allowed.push('CONNECTION_RESET');
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a link');
  await says(opened, 'The check could not be loaded.');
  await expectWellMade(opened, 'captcha-failed');
  reach(true);
  await press(opened, 'Try again');
  await solve(opened);
  await says(opened, `If there is an account for ${email}`);
  allow(opened, '403');
});

test('a provider that does not respond is reported after 15 seconds, and can be tried again', async () => {
  const { opened, visits, reach, email } = await place();
  const { page } = opened;
  await page.clock.install();
  await visits('forgotten-password');
  reach('hangs');
  await field(opened, 'E-mail').fill(email);
  const request = page.waitForRequest(/challenges\.cloudflare\.com/);
  await press(opened, 'Send me a link');
  await request;
  await page.clock.fastForward(15_500);
  await says(opened, 'The check could not be loaded.');
  reach(true);
  await press(opened, 'Try again');
  await solve(opened);
  await says(opened, `If there is an account for ${email}`);
  allow(opened, '403');
  expect(tokens()).toHaveLength(1);
});

test('the timeout of one attempt does not end the next', async () => {
  const { opened, visits, reach, project_id, email } = await place();
  const { page } = opened;
  await page.clock.install();
  await visits('forgotten-password');
  reach('waits');
  await field(opened, 'E-mail').fill(email);
  const request = page.waitForRequest(/challenges\.cloudflare\.com/);
  await press(opened, 'Send me a link');
  await request;
  await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 100);
  reach(true);
  await expect
    .poll(async () => {
      await page.clock.runFor(1);
      return widget(opened, true).isVisible();
    })
    .toBe(true);
  // The widget fails at once, and the next document loads later than the page waited for the first one.
  let release = () => {};
  await opened.context.route(`**/pages/${project_id}/captcha`, async (route) => {
    await new Promise<void>((resolve) => (release = resolve));
    await route.continue();
  });
  await page.frames()[1]?.evaluate('parent.postMessage({ failed: true }, location.origin)');
  await press(opened, 'Try again');
  await page.clock.runFor(5_000);
  expect(await dialog(opened).innerText()).not.toContain('The check could not be loaded.');
  await page.clock.resume();
  release();
  await solve(opened);
  await says(opened, `If there is an account for ${email}`);
  allow(opened, '403');
});

describe('the script of the provider', () => {
  test("runs in a document that can reach only the provider; the form's page can load no such script", async () => {
    const { opened, visits, project_id, email } = await place();
    await visits('forgotten-password');
    await ask(opened, 'Send me a link', email);
    const [page, frame] = opened.page.frames();
    expect(await page?.evaluate('typeof turnstile')).toBe('undefined');
    expect(await frame?.evaluate('typeof turnstile')).toBe('object');
    expect(await frame?.evaluate('document.querySelectorAll("input").length')).toBe(0);
    const request = `fetch('/pages/${project_id}/session/token', { method: 'POST' }).then(() => 'sent', () => 'refused')`;
    expect(await frame?.evaluate(request)).toBe('refused');
    const loaded = `new Promise((resolve) => {
      const policy = trustedTypes.createPolicy('test', { createScriptURL: (url) => url });
      const script = document.createElement('script');
      script.src = policy.createScriptURL('https://challenges.cloudflare.com/turnstile/v0/api.js');
      script.onload = () => resolve('loaded');
      script.onerror = () => resolve('refused');
      document.head.append(script);
    })`;
    expect(await page?.evaluate(loaded)).toBe('refused');
    const others = opened.problems.splice(0).filter((each) => !/violates|Refused|csp/i.test(each));
    expect(others).toEqual([]);
  });

  test('cannot be framed by a page of another site', async () => {
    const { opened, project_id } = await place();
    const { page, problems } = opened;
    const address = `${origin}/pages/${project_id}/captcha`;
    // Another port of the same machine counts as another origin, as any other site does.
    await page.goto(`${provider.url}/frame?language=en`);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}' }))`,
    );
    await expect.poll(() => problems.join('\n')).toContain('frame-ancestors');
    problems.splice(0);
  });
});
