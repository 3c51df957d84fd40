import type { Captcha } from '../access/projects.ts';

/** What the widget of each provider loads into the page around it, as its documentation names it. */
const sources: Record<Captcha['provider'], Record<`${string}-src`, string>> = {
  // https://developers.cloudflare.com/turnstile/reference/content-security-policy
  turnstile: {
    'script-src': 'https://challenges.cloudflare.com',
    'frame-src': 'https://challenges.cloudflare.com',
  },
  // https://docs.hcaptcha.com/#content-security-policy-settings
  hcaptcha: {
    'script-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'frame-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'style-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'connect-src': 'https://hcaptcha.com https://*.hcaptcha.com',
  },
  // https://developers.google.com/recaptcha/docs/faq
  recaptcha: {
    'script-src': 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    'frame-src': 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
  },
};

/**
 * The headers of the document in which a hosted page shows a captcha. Nothing else is in it: no field, and no script
 * that calls the service. It may ask the provider alone, and so not the service for the session of the browser.
 */
export function captchaFrameHeaders({ provider }: Captcha): Record<string, string> {
  const of = sources[provider];
  const own: [directive: `${string}-src`, ...sources: (string | undefined)[]][] = [
    ['script-src', "'self'", of['script-src']],
    // Widgets place their frames by styles of their own, also in the HTML.
    ['style-src', "'unsafe-inline'", of['style-src']],
    ['frame-src', of['frame-src']],
    ['connect-src', of['connect-src'] ?? "'none'"],
  ];
  return {
    'content-security-policy': [
      "default-src 'none'",
      ...own.map((parts) => parts.filter(Boolean).join(' ')),
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    'x-frame-options': 'SAMEORIGIN',
    // A provider may go by the site that its script is loaded for. It learns no path.
    'referrer-policy': 'strict-origin',
  };
}
