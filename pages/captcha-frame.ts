import { renderCaptcha } from '../client/captcha/widget.ts';
import type { AskedCaptcha } from '../client/captcha/with-captcha.ts';

/**
 * The document in which a hosted page shows a captcha. The script of the provider runs here, apart from the page with the
 * password, and under a policy of its own. The page says in the fragment which captcha it is, and hears its token.
 */
export type FromFrame = { ready: true } | { token: string } | { failed: true };

/** No other page can frame this one, and none would hear it. */
const tell = (message: FromFrame): void => parent.postMessage(message, location.origin);

const { language = 'en', ...captcha } = Object.fromEntries(
  new URLSearchParams(location.hash.slice(1)),
) as AskedCaptcha & { language?: string };

tell({ ready: true });
renderCaptcha(captcha, {
  element: document.body.appendChild(document.createElement('div')),
  language,
})
  .then((token) => tell({ token }))
  .catch(() => tell({ failed: true }));
