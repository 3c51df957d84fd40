import { expect } from 'vitest';
import type { Captcha } from '../../shared/access/projects.ts';
import type { startSiteverify } from '../support/siteverify.ts';
import type { Opened } from './browser.ts';

type Provider = Awaited<ReturnType<typeof startSiteverify>>;

const addresses = /^https:\/\/(?:challenges\.cloudflare\.com|js\.hcaptcha\.com|www\.google\.com)\//;

/**
 * Routes the addresses of the real providers to the fake one, so that the page's policy is tested with the real
 * addresses. Resolves with a function that makes the provider's script fail, hang, wait for the next call, or load
 * again.
 */
export async function reachProvider(opened: Opened, { url }: Provider) {
  let behaviour: boolean | 'hangs' | 'waits' = true;
  let resume = () => {};
  opened.allowed.push(
    ...['challenges.cloudflare.com', 'js.hcaptcha.com', 'www.google.com'].map(
      (host) => `refused: https://${host}/`,
    ),
  );
  await opened.context.route(addresses, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (behaviour === 'hangs') return;
    if (behaviour === 'waits') await new Promise<void>((resolve) => (resume = resolve));
    if (!behaviour) return route.abort('connectionreset');
    return route.fulfill({ response: await route.fetch({ url: `${url}${pathname}${search}` }) });
  });
  return (next: typeof behaviour) => {
    behaviour = next;
    resume();
  };
}

/** The document that contains the widget: on a hosted page, a frame of the service. */
const around = ({ page }: Opened, isHosted: boolean) =>
  isHosted ? page.frameLocator('dialog iframe') : page;

/** The button of the widget, inside the provider's frame. */
export const widget = (opened: Opened, isHosted: boolean) =>
  around(opened, isHosted)
    .frameLocator('iframe[title="Widget of the provider"]')
    .getByRole('button');

/** The challenge that hCaptcha and reCAPTCHA append to the document around their widget. */
export const challenge = (opened: Opened, isHosted: boolean) =>
  around(opened, isHosted).getByRole('button', { name: 'The picture with the bus' });

/** Expects that the widget is not cut off, and that it is compact where the normal one would be. */
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

/** Solves the captcha as a user does. */
export async function solveAt(
  opened: Opened,
  isHosted: boolean,
  provider: Captcha['provider'],
): Promise<void> {
  await widget(opened, isHosted).click();
  if (provider !== 'turnstile') await challenge(opened, isHosted).click();
}
