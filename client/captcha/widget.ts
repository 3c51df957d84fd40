import type { AskedCaptcha } from './with-captcha.ts';

/** What the three providers have in common: hCaptcha and Turnstile took it over from reCAPTCHA. */
type Api = { render(element: object, options: object): unknown; remove?(id: unknown): void };

/** The parts of a page that are used: its types are not there in every compilation. */
type Script = {
  src: unknown;
  async: boolean;
  addEventListener(type: 'error', listener: () => void): void;
  remove(): void;
};
type BrowserPage = {
  document: {
    createElement(name: 'script'): Script;
    head: { append(script: Script): void };
  };
  getComputedStyle(element: object): { color: string };
  trustedTypes?: {
    createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown };
  };
};
const page = globalThis as unknown as BrowserPage & Record<string, unknown>;

/**
 * The script of each provider, and the global that it makes. Turnstile and hCaptcha take the language by widget too:
 * that of reCAPTCHA stays as it was when its script was loaded.
 */
const providers: Record<
  AskedCaptcha['provider'],
  { script: (language: string) => string; global: string }
> = {
  turnstile: {
    script: () => 'https://challenges.cloudflare.com/turnstile/v0/api.js?',
    global: 'turnstile',
  },
  hcaptcha: {
    script: (hl) => `https://js.hcaptcha.com/1/api.js?recaptchacompat=off&hl=${hl}&`,
    global: 'hcaptcha',
  },
  recaptcha: {
    script: (hl) => `https://www.google.com/recaptcha/api.js?trustedtypes=true&hl=${hl}&`,
    global: 'grecaptcha',
  },
};

export type WidgetOptions = {
  /** A new, empty element of the page. It has no more widget when this is over. */
  element: { clientWidth: number };
  /** Ends it: nobody needs the token any more. */
  signal?: AbortSignal;
  /** As in BCP 47, such as `de`. */
  language: string;
};

const pendingApis = new Map<string, Promise<Api>>();
let scripts = 0;

/** What the usual widget of the widest provider takes. Pixels. */
const usualWidth = 304;

/** Milliseconds for the script of a provider to come, before somebody may try again. */
const scriptTimeout = 15_000;

/**
 * Shows the widget of a provider in an element, and resolves with the token when the user solves it. The script of the
 * provider is loaded only now.
 * @throws Error if the script does not come in 15 seconds, or the widget gives up; the reason of `signal` if that ends
 * it
 */
export async function renderCaptcha(
  { provider, site_key, action }: AskedCaptcha,
  { element, language, signal }: WidgetOptions,
): Promise<string> {
  const api = await load(provider, language);
  signal?.throwIfAborted();
  let id: unknown;
  const solution = new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error('The captcha failed.'));
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    id = api.render(element, {
      sitekey: site_key,
      ...(element.clientWidth < usualWidth && { size: 'compact' }),
      theme: isDark(element) ? 'dark' : 'light',
      callback: resolve,
      // One that has expired unsent shows itself anew. Turnstile throws where nobody handles an error.
      'error-callback': () => {
        fail();
        return true;
      },
      ...(provider === 'turnstile' && { action, language, retry: 'never' }),
      ...(provider === 'hcaptcha' && { hl: language }),
    });
  });
  return solution.finally(() => api.remove?.(id));
}

/** The API of a provider: its script is loaded once, and again after it has not come. */
function load(provider: AskedCaptcha['provider'], language: string): Promise<Api> {
  const { script: addressIn, global } = providers[provider];
  const loadedApi = () => page[global] as Api | undefined;
  // One that the page itself has loaded, or that came late.
  if (loadedApi()?.render) return Promise.resolve(loadedApi() as Api);
  const api =
    pendingApis.get(provider) ??
    new Promise<Api>((resolve, reject) => {
      // A browser has a second request for one address wait for the first, which may hang: each try has its own.
      const ready = `${global}Ready${(scripts += 1)}`;
      const script = page.document.createElement('script');
      const fail = () => {
        pendingApis.delete(provider);
        script.remove();
        reject(new Error('The script of the captcha did not come.'));
      };
      const timer = setTimeout(fail, scriptTimeout);
      page[ready] = () => {
        clearTimeout(timer);
        resolve(loadedApi() as Api);
      };
      script.src = trustedAddress(`${addressIn(language)}render=explicit&onload=${ready}`);
      script.async = true;
      script.addEventListener('error', () => {
        clearTimeout(timer);
        fail();
      });
      page.document.head.append(script);
    });
  pendingApis.set(provider, api);
  return api;
}

let policy: ReturnType<NonNullable<BrowserPage['trustedTypes']>['createPolicy']> | undefined;

/** In a page that takes no text for the address of a script (Trusted Types), one that it takes. */
function trustedAddress(address: string): unknown {
  const rules = { createScriptURL: (url: string) => url };
  policy ??= page.trustedTypes?.createPolicy('identity-captcha', rules);
  return policy?.createScriptURL(address) ?? address;
}

/** Whether the text around is light, by whichever way the page is dark. */
const isDark = (element: object): boolean => {
  const [red = 0, green = 0, blue = 0] = (
    page.getComputedStyle(element).color.match(/\d+/g) ?? []
  ).map(Number);
  return red + green + blue > 382;
};
