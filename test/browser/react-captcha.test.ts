import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import type { Captcha } from '../../shared/access/projects.ts';
import { captchaFrameHeaders } from '../../shared/captcha/frame-policy.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from '../support/siteverify.ts';
import { startWorld } from '../support/world.ts';
import { expectAccessible, expectWellMade, type Opened, useBrowser, type View } from './browser.ts';
import { challenge, expectFits, reachProvider, solveAt, widget } from './captcha-stage.ts';
import { allow, field, press, says } from './hosted-stage.ts';
import { serveReactExample } from './react-stage.ts';

/** Captchas of the components, in a dialog that `showCaptcha` opens over the page. */
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const provider = await startSiteverify();
const served = async (name: Captcha['provider']) => {
  const captcha = provider.setting({ provider: name, hostnames: ['localhost'] });
  const people = await signInProject(world, { captcha });
  const { 'content-security-policy': policy = '' } = captchaFrameHeaders(captcha);
  const sources = (directive: string) => new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1] ?? '';
  const url = await serveReactExample({
    ...{ url: world.url, projectId: people.project_id, methods: 'code,password,link' },
    captcha: { scripts: sources('script-src'), frames: sources('frame-src') },
  });
  return { people, captcha, origin: url.replace('127.0.0.1', 'localhost') };
};
const places = {
  turnstile: await served('turnstile'),
  hcaptcha: await served('hcaptcha'),
  recaptcha: await served('recaptcha'),
};
await setCaptchaKeys(
  Object.values(places).map(({ people, captcha }) => provider.keyOf(people.project_id, captcha)),
);
const { open } = useBrowser();

/** Opens the example with the captcha of a provider. */
async function openAt(name: Captcha['provider'], view?: View): Promise<Opened> {
  const opened = await open(view);
  await reachProvider(opened, provider);
  await opened.page.goto(places[name].origin);
  return opened;
}

const dialog = ({ page }: Opened) =>
  page.getByRole('dialog', { name: 'Show that you are a person' });

const ask = async (opened: Opened, email: string) => {
  await field(opened, 'E-mail').fill(email);
  await press(opened, 'Send me a code');
};

describe.each(['turnstile', 'hcaptcha', 'recaptcha'] as const)('%s', (name) => {
  const { people } = places[name];
  const solve = async (opened: Opened) => {
    await solveAt(opened, false, name);
    await dialog(opened).waitFor({ state: 'detached' });
    allow(opened, '403');
  };

  test('each form that needs a captcha opens it, and continues', async () => {
    const opened = await openAt(name);
    provider.asked.length = 0;
    const email = `${name}@example.com`;
    await field(opened, 'E-mail').fill(email);
    await press(opened, 'Send me a code');
    await solve(opened);
    await says(opened, `We have sent a code to ${email}.`);
    await field(opened, 'Code').fill(await people.mailed(email));
    await press(opened, 'Sign in');
    await opened.page.getByRole('button', { name: /^Account of/ }).click();
    await press(opened, 'Sign out');

    await press(opened, 'Use a password');
    await field(opened, 'E-mail').fill(email);
    await field(opened, 'Password').fill(goodPassword);
    await press(opened, 'Sign in');
    await solve(opened);
    await says(opened, 'The e-mail or the password is wrong.');
    allow(opened, '401');
    await press(opened, 'Forgot your password?');
    await solve(opened);
    await says(opened, 'If there is an account');
    await press(opened, 'Create an account');
    await field(opened, 'E-mail').fill(`new-${name}@example.com`);
    await press(opened, 'Send me a link');
    await solve(opened);
    await says(opened, `new-${name}@example.com`);
    await press(opened, 'Use a link by e-mail');
    await press(opened, 'Send me a link');
    await solve(opened);
    await says(opened, 'Code of the link');
    const tokens = provider.asked.map(({ fields }) => fields.get('response'));
    expect(new Set(tokens).size).toBe(5);
  });

  test.each([false, true])('the dialog has the colours of the page, dark: %s', async (dark) => {
    const opened = await openAt(name, { width: 390, dark });
    await ask(opened, `dark-${dark}@example.com`);
    await expect
      .poll(() => widget(opened, false).innerText())
      .toBe(`I am a person (en, ${dark ? 'dark' : 'light'})`);
    // The widget is shown in both schemes, so each is checked in its own.
    await expectAccessible(opened);
    await opened.picture(`react-${name}`);
    allow(opened, '403');
  });
});

test('a script that fails to load can be loaded again', async () => {
  const opened = await open({ width: 390, dark: true });
  const reach = await reachProvider(opened, provider);
  opened.allowed.push('CONNECTION_RESET');
  await opened.page.goto(places.turnstile.origin);
  reach(false);
  await ask(opened, 'script@example.com');
  await says(opened, 'The check could not be loaded.');
  await expectWellMade(opened, 'react-captcha-failed');
  reach(true);
  await press(opened, 'Try again');
  await widget(opened, false).waitFor();
  await expectWellMade(opened, 'react-captcha');
  allow(opened, '403');
});

test.each([320, 362, 390])('the widget fits the window at %i pixels', async (width) => {
  const opened = await open();
  await opened.page.setViewportSize({ width, height: 800 });
  await reachProvider(opened, provider);
  await opened.page.goto(places.turnstile.origin);
  await field(opened, 'E-mail').fill(`narrow${width}@example.com`);
  await press(opened, 'Send me a code');
  await expectFits(opened, false, width);
  allow(opened, '403');
});

test('a provider that does not respond is reported after 15 seconds, and can be tried again', async () => {
  const opened = await open();
  const reach = await reachProvider(opened, provider);
  await opened.page.clock.install();
  await opened.page.goto(places.turnstile.origin);
  await field(opened, 'E-mail').fill('hangs@example.com');
  reach('hangs');
  const request = opened.page.waitForRequest(/challenges\.cloudflare\.com/);
  await press(opened, 'Send me a code');
  await request;
  await opened.page.clock.fastForward(14_000);
  expect(await opened.page.getByRole('alert').allInnerTexts()).not.toContain(
    'The check could not be loaded.',
  );
  await opened.page.clock.fastForward(1_500);
  await says(opened, 'The check could not be loaded.');
  reach(true);
  await press(opened, 'Try again');
  await widget(opened, false).click();
  await dialog(opened).waitFor({ state: 'detached' });
  allow(opened, '403');
});

describe('closing the dialog', () => {
  test('removes widget and challenge, and returns the focus', async () => {
    const opened = await openAt('hcaptcha');
    await field(opened, 'E-mail').fill('closes@example.com');
    await press(opened, 'Send me a code');
    await widget(opened, false).click();
    await challenge(opened, false).waitFor();
    await opened.page.keyboard.press('Escape');
    await says(opened, 'Solve the captcha first.');
    await challenge(opened, false).waitFor({ state: 'detached' });
    expect(await opened.page.evaluate('document.activeElement.textContent')).toBe('Send me a code');
    allow(opened, '403');
  });

  test('before the script has loaded shows no widget later', async () => {
    const opened = await open();
    const reach = await reachProvider(opened, provider);
    const { page } = opened;
    await page.goto(places.hcaptcha.origin);
    await field(opened, 'E-mail').fill('leaves@example.com');
    reach('waits');
    const script = page.waitForResponse(/js\.hcaptcha\.com/);
    await press(opened, 'Send me a code');
    await press(opened, 'Cancel');
    await page.evaluate(`globalThis.hcaptchaShown = 0;
      Object.defineProperty(globalThis, 'hcaptcha', {
        set: (api) => Object.defineProperty(globalThis, 'hcaptcha', {
          value: { ...api, render: () => { globalThis.hcaptchaShown += 1; } },
        }),
        configurable: true,
      });`);
    reach(true);
    await script;
    await expect.poll(() => page.evaluate('typeof hcaptcha')).toBe('object');
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    expect(await page.evaluate('hcaptchaShown')).toBe(0);
    allow(opened, '403');
  });
});

describe.each(['turnstile', 'hcaptcha', 'recaptcha'] as const)('%s dialog', (name) => {
  test("follows a change of the page's language, except reCAPTCHA", async () => {
    const opened = await openAt(name);
    await ask(opened, `language-${name}@example.com`);
    await expect.poll(() => widget(opened, false).innerText()).toMatch(/\(en, /);
    await press(opened, 'Cancel');
    await opened.page.evaluate('document.documentElement.lang = "de"');
    await press(opened, 'Send me a code');
    await opened.page
      .getByRole('dialog', { name: 'Bestätigen Sie, dass Sie ein Mensch sind' })
      .waitFor();
    await expect
      .poll(() => widget(opened, false).innerText())
      .toMatch(name === 'recaptcha' ? /\(en, / : /\(de, /);
    allow(opened, '403');
  });

  test('is above a modal dialog of the page, or fails with a message', async () => {
    const opened = await openAt(name);
    const { page } = opened;
    await field(opened, 'E-mail').waitFor();
    await page.evaluate(`const modal = document.createElement('dialog');
      modal.append(document.getElementById('root'));
      document.body.append(modal);
      modal.showModal();`);
    const email = `modal-${name}@example.com`;
    await ask(opened, email);
    if (name === 'turnstile') {
      await solveAt(opened, false, name);
      await says(opened, `We have sent a code to ${email}.`);
    } else {
      await says(opened, 'That did not work.');
      expect(await dialog(opened).count()).toBe(0);
      expect(opened.problems.join()).toContain('A modal dialog would cover this captcha');
      opened.allowed.push('A modal dialog would cover this captcha');
      await page.evaluate(`const shown = document.querySelector('dialog');
        shown.close();
        shown.show();`);
      await press(opened, 'Send me a code');
      await solveAt(opened, false, name);
      await says(opened, `We have sent a code to ${email}.`);
    }
    allow(opened, '403');
  });

  test('is closed when the user goes back', async () => {
    const opened = await openAt(name);
    const { page } = opened;
    await field(opened, 'E-mail').waitFor();
    await page.evaluate("history.pushState({}, '', '/sign-in')");
    await ask(opened, `back-${name}@example.com`);
    await widget(opened, false).waitFor();
    await page.evaluate('history.back()');
    await dialog(opened).waitFor({ state: 'detached' });
    await says(opened, 'Solve the captcha first.');
    expect(await widget(opened, false).count()).toBe(0);
    allow(opened, '403');
  });
});

test('Escape closes only the dialog that was opened last', async () => {
  const opened = await openAt('hcaptcha');
  const { page } = opened;
  const { outputFiles } = await build({
    ...{ entryPoints: ['client/captcha.ts'], bundle: true, write: false },
    globalName: 'captchas',
  });
  await page.evaluate(`${outputFiles[0]?.text}
    globalThis.ended = [];
    for (const each of ['first', 'second']) {
      const asked = { provider: 'hcaptcha', site_key: 'KEY', action: 'code' };
      void captchas.showCaptcha(asked).then((token) => ended.push([each, token ?? 'none']));
    }`);
  await expect.poll(() => dialog(opened).count()).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('ended')).toEqual([['second', 'none']]);
  await expect.poll(() => dialog(opened).count()).toBe(1);
  await solveAt(opened, false, 'hcaptcha');
  await expect.poll(() => page.evaluate('ended[1]')).toEqual(['first', expect.any(String)]);
});
