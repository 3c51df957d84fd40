import {
  type AuthorizationOptions,
  authorizationUrl,
  type Binding,
  logoutUrl,
  RedirectError,
  redeemAnswer,
} from '../authorization-code.ts';
import type { Fetch } from '../call.ts';
import { challengeOf, randomToken } from '../pkce.ts';
import { requireNavigation, requireSameOrigin } from './guard.ts';
import type { HandlerClient } from './handler-client.ts';
import type { CookieJar, Tokens } from './jar.ts';
import { errorOf, refusal } from './problem.ts';
import { endSession } from './tokens.ts';

export type HostedPagesOptions = {
  /** A public client of the project, such as `demo.web`. */
  clientId: string;
  /** `callback` under the handler's path: `https://app.example.com/auth/callback`. Registered for the client. */
  redirectUri: string;
  /** Where the service leads after the sign-out; registered for the client. Without it people stay at the service. */
  postLogoutRedirectUri?: string | undefined;
};

/** Answers a GET. `keep` sets what the cookie of the session contains; undefined ends it. */
export type Page = (
  request: Request,
  keep: (tokens: Tokens | undefined) => void,
) => Response | Promise<Response>;

type Options = {
  url: string;
  path: string;
  jar: CookieJar;
  hostedPages: HostedPagesOptions;
  allowedOrigins: ReadonlySet<string>;
  /** What asks the service on behalf of a browser. */
  reach: (request: Request) => { send: Fetch; client: HandlerClient };
};

/** Sign-ins of one browser that may be in progress; of more, the oldest begins again. */
const maxPending = 5;
/** Characters of a path to return to, as the cookie contains it: five of them fit into one cookie. */
const maxReturnTo = 600;
/** Begins the state of a request that repeats one whose answer could not be used. */
const repeated = 'again.';

/** The three pages of the handler: to the hosted pages of the service, back, and signed out of them. */
export function hostedPagesOf({
  url,
  path,
  jar,
  hostedPages,
  allowedOrigins,
  reach,
}: Options): ReadonlyMap<string, Page> {
  const { clientId, redirectUri, postLogoutRedirectUri } = hostedPages;
  const issuer = url.replace(/\/+$/, '');
  const oauthClient = { issuer, clientId, redirectUri };
  const own = new URL(redirectUri);
  if (own.pathname !== `${path}/callback`)
    throw new TypeError(`The path of redirectUri must be ${path}/callback.`);

  async function signIn(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const of = (name: string) => searchParams.get(name) ?? undefined;
    const returnTo = pathAt(own.origin, of('return_to') ?? '/');
    if (returnTo === undefined || encodeURIComponent(returnTo).length > maxReturnTo)
      throw refusal(400, 'invalid_request', 'return_to must be a short path of this origin.');
    return begin(returnTo, pendingOf(jar.signIns.read(request)), {
      // The service judges it.
      prompt: of('prompt') as AuthorizationOptions['prompt'],
      loginHint: of('login_hint'),
      uiLocales: of('ui_locales'),
    });
  }

  /** Leads to the service, and remembers that, beside the `others` that are in progress. */
  async function begin(
    returnTo: string,
    others: readonly Pending[],
    options: AuthorizationOptions = {},
    prefix = '',
  ): Promise<Response> {
    const pending = { secret: randomToken(), returnTo };
    const binding = await bindingOf(pending.secret);
    const to = { ...binding, state: prefix + binding.state };
    const response = redirect(await authorizationUrl(oauthClient, to, options));
    const all = [pending, ...others].slice(0, maxPending);
    response.headers.append('set-cookie', jar.signIns.keep(textOf(all)));
    return response;
  }

  const callback: Page = async (request, keep) => {
    const { searchParams } = new URL(request.url);
    const state = searchParams.get('state') ?? '';
    const all = pendingOf(jar.signIns.read(request));
    const bindings = await Promise.all(all.map(({ secret }) => bindingOf(secret)));
    const at = bindings.findIndex((each) => each.state === state.replace(repeated, ''));
    const [pending, binding] = [all[at], bindings[at]];
    const { returnTo = '/' } = pending ?? {};
    const others = all.filter((each) => each !== pending);
    const end = (to: string) => {
      const response = leadTo(to);
      response.headers.append('set-cookie', jar.signIns.keep(textOf(others)));
      return response;
    };
    try {
      if (!binding) throw new RedirectError('state_mismatch');
      const tokens = await redeemAnswer(oauthClient, binding, searchParams, reach(request).send);
      const { access_token, refresh_token, id_token } = tokens;
      keep({ access_token, refresh_token });
      const response = end(returnTo);
      response.headers.append('set-cookie', jar.idToken.keep(id_token));
      return response;
    } catch (error) {
      const code = error instanceof RedirectError ? error.code : errorOf(error).code;
      // As where a mailed link was opened in another browser, or the first response with this code was lost. A user who
      // is signed in at the service is not asked again.
      if (/^(?:state_mismatch|invalid_grant)$/.test(code) && !state.startsWith(repeated))
        return begin(returnTo, others, {}, repeated);
      return end(withError(returnTo, code));
    }
  };

  const signOut: Page = async (request, keep) => {
    requireSameOrigin(request, allowedOrigins);
    keep(undefined);
    // If that fails, the service ends it by the hint, or it ends by itself: nobody has its tokens.
    const tokens = jar.read(request);
    if (tokens) await endSession(reach(request).client, tokens, false).catch(() => {});
    const hint = jar.idToken.read(request);
    const response = redirect(logoutUrl(oauthClient, hint, postLogoutRedirectUri));
    response.headers.append('set-cookie', jar.idToken.keep(''));
    return response;
  };

  const navigation =
    (page: Page): Page =>
    (request, keep) => {
      requireNavigation(request);
      return page(request, keep);
    };
  return new Map([
    ['/sign-in', navigation(signIn)],
    ['/callback', navigation(callback)],
    ['/sign-out', navigation(signOut)],
  ]);
}

/** A sign-in that this browser has begun: a secret of its own, and where it leads. */
type Pending = { secret: string; returnTo: string };

/** One secret stands for three, of which two are public: none can be computed from another. */
async function bindingOf(secret: string): Promise<Binding> {
  const [state = '', verifier = '', nonce = ''] = await Promise.all(
    ['state', 'verifier', 'nonce'].map((name) => challengeOf(`${name} ${secret}`)),
  );
  return { state, verifier, nonce };
}

const textOf = (all: readonly Pending[]): string =>
  all.map(({ secret, returnTo }) => `${secret}:${encodeURIComponent(returnTo)}`).join('/');

/** No more than `maxPending`: a cookie that a program has made up would cost three digests for each slash in it. */
function pendingOf(text: string | undefined): Pending[] {
  if (!text) return [];
  return text.split('/', maxPending).flatMap((each) => {
    const [secret = '', returnTo = ''] = each.split(':');
    try {
      return [{ secret, returnTo: decodeURIComponent(returnTo) }];
    } catch {
      return [];
    }
  });
}

/**
 * A path with its query and fragment; undefined if it leads to another origin, as `//evil.example` does. So does what
 * is left of `/.//evil.example` once it is resolved.
 */
function pathAt(origin: string, text: string): string | undefined {
  if (!text.startsWith('/') || !URL.canParse(text, origin)) return undefined;
  const target = new URL(text, origin);
  return target.origin === origin && !target.pathname.startsWith('//')
    ? target.pathname + target.search + target.hash
    : undefined;
}

/** The same path, which says why nobody has signed in. */
function withError(path: string, code: string): string {
  const target = new URL(path, 'http://localhost');
  target.searchParams.set('sign_in_error', code);
  return target.pathname + target.search + target.hash;
}

const redirect = (location: string): Response =>
  new Response(null, { status: 303, headers: { location } });

/**
 * Leads to a page of this origin. A redirect would belong to the navigation that the service has begun, which brings no
 * cookie with SameSite=Strict: the server would see nobody.
 */
function leadTo(path: string): Response {
  const href = path.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="0;url=${href}"><title>Signing in</title>
<main><h1><a href="${href}">Continue</a></h1></main></html>`;
  return new Response(page, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  });
}
