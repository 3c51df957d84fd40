import { describe, expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import type { Captcha } from '../../shared/access/projects.ts';
import { captchaFrameHeaders } from '../../shared/captcha/frame-policy.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from '../support/siteverify.ts';
import { startWorld } from '../support/world.ts';
import { expectWellMade, type Opened, useBrowser, views } from './browser.ts';
import { reachProvider, solveAt, widget } from './captcha-stage.ts';
import { allow, field, press, says } from './hosted-stage.ts';
import { serveReactExample } from './react-stage.ts';

/** Captchas of the components: in a dialog that `showCaptcha` opens over the page. */
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
  return { people, origin: url.replace('127.0.0.1', 'localhost') };
};
const places = {
  turnstile: await served('turnstile'),
  hcaptcha: await served('hcaptcha'),
  recaptcha: await served('recaptcha'),
};
await setCaptchaKeys(
  Object.fromEntries(
    Object.values(places).map(({ people }) => [people.project_id, provider.secret]),
  ),
);
const { open } = useBrowser();

const dialog = ({ page }: Opened) =>
  page.getByRole('dialog', { name: 'Show that you are a person' });

describe.each(['turnstile', 'hcaptcha', 'recaptcha'] as const)('%s', (name) => {
  const { people, origin } = places[name];
  const solve = async (opened: Opened) => {
    await solveAt(opened, false, name);
    await dialog(opened).waitFor({ state: 'detached' });
    allow(opened, '403');
  };

  test('each of its forms asks for a captcha where the service does, and goes on', async () => {
    const opened = await open();
    await reachProvider(opened, provider);
    await opened.page.goto(origin);
    provider.asked.length = 0;
    const email = 'react@example.com';
    await field(opened, 'E-mail').fill(email);
    await press(opened, 'Send me a code');
    await solve(opened);
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
    await field(opened, 'E-mail').fill('new-react@example.com');
    await press(opened, 'Send me a link');
    await solve(opened);
    await says(opened, 'new-react@example.com');
    await press(opened, 'Use a link by e-mail');
    await press(opened, 'Send me a link');
    await solve(opened);
    await says(opened, 'Code of the link');
    const tokens = provider.asked.map(({ fields }) => fields.get('response'));
    expect(new Set(tokens).size).toBe(5);
  });

  test.each(views)('the dialog at $width pixels, dark: $dark', async (view) => {
    const opened = await open(view);
    const reach = await reachProvider(opened, provider);
    opened.allowed.push('CONNECTION_RESET');
    await opened.page.goto(origin);
    await field(opened, 'E-mail').fill(`view${view.width}${view.dark}@example.com`);
    reach(false);
    await press(opened, 'Send me a code');
    await says(opened, 'The check could not be loaded.');
    await expectWellMade(opened, `react-${name}-failed`);
    reach(true);
    await press(opened, 'Try again');
    await expect
      .poll(() => widget(opened, false).innerText())
      .toBe(`I am a person (en, ${view.dark ? 'dark' : 'light'})`);
    await expectWellMade(opened, `react-${name}`);
    await opened.page.keyboard.press('Escape');
    await says(opened, 'Solve the captcha first.');
    expect(await opened.page.evaluate('document.activeElement.textContent')).toBe('Send me a code');
    allow(opened, '403');
  });
});
