import { expect } from 'vitest';
import type { Captcha } from '../../shared/access/projects.ts';
import type { startSiteverify } from '../support/siteverify.ts';
import type { Opened } from './browser.ts';

type Provider = Awaited<ReturnType<typeof startSiteverify>>;

const addresses = /^https:\/\/(?:challenges\.cloudflare\.com|js\.hcaptcha\.com|www\.google\.com)\//;

/**
 * Lets a page reach the stand-in at the addresses of the real providers: so its policy is judged by those. Resolves
 * with what makes the script of the provider fail, hang, or wait for the next call from now on, or come again.
 */
export async function reachProvider(opened: Opened, { url }: Provider) {
  let works: boolean | 'hangs' | 'waits' = true;
  let goOn = () => {};
  opened.allowed.push(
    ...['challenges.cloudflare.com', 'js.hcaptcha.com', 'www.google.com'].map(
      (host) => `refused: https://${host}/`,
    ),
  );
  await opened.context.route(addresses, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (works === 'hangs') return;
    if (works === 'waits') await new Promise<void>((resolve) => (goOn = resolve));
    if (!works) return route.abort('connectionreset');
    return route.fulfill({ response: await route.fetch({ url: `${url}${pathname}${search}` }) });
  });
  return (does: typeof works) => {
    works = does;
    goOn();
  };
}

/** What is around the widget: on a hosted page a frame of ours. */
const around = ({ page }: Opened, isHosted: boolean) =>
  isHosted ? page.frameLocator('dialog iframe') : page;

/** The button of the widget, in the frame of the provider. */
export const widget = (opened: Opened, isHosted: boolean) =>
  around(opened, isHosted)
    .frameLocator('iframe[title="Widget of the provider"]')
    .getByRole('button');

/** The challenge of hCaptcha and reCAPTCHA, which they append to the page around their widget. */
export const challenge = (opened: Opened, isHosted: boolean) =>
  around(opened, isHosted).getByRole('button', { name: 'The picture with the bus' });

/** Expects that no part of the widget is cut, and that it is compact where the usual one would be. */
export async function expectFits(opened: Opened, isHosted: boolean, width: number): Promise<void> {
  await widget(opened, isHosted).waitFor();
  const frame = around(opened, isHosted).locator('iframe[title="Widget of the provider"]');
  const inner = await frame.boundingBox();
  const outer = await opened.page.locator(isHosted ? 'dialog iframe' : 'dialog').boundingBox();
  if (!inner || !outer) throw new Error('Nothing is shown.');
  expect(inner.width).toBe(width < 362 ? 150 : 304);
  expect(inner.x).toBeGreaterThanOrEqual(outer.x);
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
}

/** Does what a person does to solve the captcha of a provider. */
export async function solveAt(
  opened: Opened,
  isHosted: boolean,
  provider: Captcha['provider'],
): Promise<void> {
  await widget(opened, isHosted).click();
  if (provider !== 'turnstile') await challenge(opened, isHosted).click();
}
