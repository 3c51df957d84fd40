import type { startSiteverify } from '../support/siteverify.ts';
import type { Opened } from './browser.ts';

type Provider = Awaited<ReturnType<typeof startSiteverify>>;

const addresses = /^https:\/\/(?:challenges\.cloudflare\.com|js\.hcaptcha\.com|www\.google\.com)\//;

/**
 * Lets a page reach the stand-in at the addresses of the real providers: so its policy is judged by those. Resolves with what
 * makes the script of the provider fail from now on, or come again.
 */
export async function reachProvider(opened: Opened, { url }: Provider) {
  let works = true;
  opened.allowed.push(
    ...['challenges.cloudflare.com', 'js.hcaptcha.com', 'www.google.com'].map(
      (host) => `refused: https://${host}/`,
    ),
  );
  await opened.context.route(addresses, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (!works) return route.abort('connectionreset');
    return route.fulfill({ response: await route.fetch({ url: `${url}${pathname}${search}` }) });
  });
  return (does: boolean) => void (works = does);
}

/** The button of the widget, in the frame of the provider. On a hosted page that is in a frame of ours. */
export const widget = ({ page }: Opened, isHosted: boolean) => {
  const around = isHosted ? page.frameLocator('dialog iframe') : page;
  return around.frameLocator('iframe[title="Widget of the provider"]').getByRole('button');
};
