import { ApiError, isEnd } from './api-error.ts';
import type { Fetch } from './call.ts';
import { callsOf } from './client.ts';
import { guard, readBody, requireSameOrigin } from './cookies/guard.ts';
import type { HandlerClient } from './cookies/handler-client.ts';
import { type HostedPagesOptions, hostedPagesOf, type Page } from './cookies/hosted.ts';
import { openJar, type Tokens } from './cookies/jar.ts';
import { errorOf, refusal, toProblem } from './cookies/problem.ts';
import { routesOf } from './cookies/routes.ts';
import { isFresh, renew } from './cookies/tokens.ts';
import { cookieRoutes } from './generated/cookie-routes.ts';
import { type HeaderSource, headerValues } from './header-values.ts';
import { randomToken } from './pkce.ts';

export type { HostedPagesOptions } from './cookies/hosted.ts';
export { forNode } from './cookies/node.ts';

export type CookieOptions = {
  /** The base URL of the service. */
  url: string;
  projectId: string;
  /** Where the handler is mounted; default `/auth`. */
  path?: string | undefined;
  /** The name of the session's cookie, without a prefix; default `session`. */
  cookieName?: string | undefined;
  /** `false`: the cookie also goes over plain HTTP, and loses the prefix `__Host-`. For http://localhost alone. */
  secure?: boolean | undefined;
  /**
   * The origins at which browsers find the handler, such as `https://app.example.com`, if a proxy before it hides them
   * from the URL of the request. It is no CORS: a page of another origin gets no session.
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Signs in by the hosted pages of the service, by links: `GET /auth/sign-in?return_to=/notes` leads there and back,
   * with `prompt`, `login_hint` and `ui_locales` as at the service; `GET /auth/sign-out` also signs out there. Where
   * nobody has signed in, the page gets `sign_in_error` in its query: an error code of the service, or
   * `state_mismatch`.
   */
  hostedPages?: HostedPagesOptions | undefined;
  /** Sends the requests to the service, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * Tells the service who the client is. Its operator must have the digest of the secret in `trustedProxy`, and calls
   * must not pass a CloudFront on their way. `addressOf` must not take what a client can write itself, such as the
   * first entry of X-Forwarded-For: who can choose an address can guess passwords without a limit.
   */
  trustedProxy?:
    | { secret: string; addressOf: (request: Request) => string | undefined }
    | undefined;
};

/** A session that was renewed before a page is rendered. */
export type Renewed = {
  /**
   * Good for 30 seconds or more: give it to `verify`. Undefined: nobody is signed in, or the service could be asked once
   * but not for the newest token, and `setCookies` keeps the session.
   */
  accessToken: string | undefined;
  /** The headers of the request, with the cookie as it is now: what renders the page reads them. */
  headers: Headers;
  /** The Set-Cookie headers of the response, which no cache may keep; mostly there are none. */
  setCookies: string[];
};

export type CookieHandler = {
  (request: Request): Promise<Response>;
  /**
   * Renews the session of a request, if it has to be, for a page that your backend is about to render. Concurrent
   * requests, and later ones with the same old cookie, get the same tokens. At the paths of the handler it does nothing.
   * It takes 5 seconds at most. A response that arrives after somebody has signed in anew brings back the cookie from
   * before, or ends it, and they sign in once more.
   * @throws ApiError if the service could not be asked; the session may go on
   */
  renew(request: Request): Promise<Renewed>;
};

/** Milliseconds for all calls of a request; API Gateway waits for 30 seconds. */
const deadline = 20_000;
/** The same before a page is rendered, for which a person waits. */
const pageDeadline = 5_000;

/**
 * Makes the handler that keeps the session of a browser in a cookie of your backend, where no script can copy it (a
 * backend for frontend). Mount it under `path`; `createCookieAuth` is its other half in the page.
 *
 * An injected script can still act as the user while the page is open, and read the access token of at most 10 minutes;
 * the refresh token is in no answer to the page. A new cookie that is lost on its way signs nobody out: for 24 hours
 * the old one brings it again.
 *
 * **Limit:** without `trustedProxy` the service sees the address of your backend in place of the clients'. Then all of
 * them are one source to its rate limits: 100 failed sign-ins in 10 minutes stop everybody's, and so do 100 mails.
 *
 * Never throws: errors are problem+json (RFC 9457), those of the service as it gave them, with status and Retry-After.
 * @throws TypeError at once, if an option is not valid
 */
export function createCookieHandler(options: CookieOptions): CookieHandler {
  const { url, projectId, cookieName = 'session', secure = true, hostedPages } = options;
  const path = (options.path ?? '/auth').replace(/\/+$/, '');
  if (!path.startsWith('/')) throw new TypeError('path must begin with a slash.');
  const jar = openJar(cookieName, secure);
  const allowedOrigins = new Set(options.allowedOrigins);
  for (const origin of allowedOrigins)
    if (new URL(origin).origin !== origin) throw new TypeError(`${origin} is not an origin.`);
  const routes = routesOf(projectId);

  const pages = new Map<string, Page>([
    ['/csrf', csrf],
    ...(hostedPages ? hostedPagesOf({ url, path, jar, hostedPages, allowedOrigins, reach }) : []),
  ]);

  function csrf(request: Request): Response {
    requireSameOrigin(request, allowedOrigins);
    const cookieToken = jar.csrf(request);
    const csrf_token = cookieToken ?? randomToken();
    const response = Response.json({ csrf_token });
    if (cookieToken === undefined) response.headers.append('set-cookie', jar.keepCsrf(csrf_token));
    return response;
  }

  /** The path below the handler's own; empty for one that is not. */
  function nameOf(request: Request): string {
    const { pathname } = new URL(request.url);
    return pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : '';
  }

  /** Asks the service for a browser, and says so: users see the device in the list of their sessions. */
  function reach(request: Request, patience = deadline) {
    const signal = AbortSignal.timeout(patience);
    const clientHeaders = { ...deviceOf(request), ...addressOf(request, options) };
    const send: Fetch = (target, init) => {
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(clientHeaders)) headers.set(name, value);
      return (options.fetch ?? fetch)(target, { signal, ...init, headers });
    };
    const calls = callsOf(cookieRoutes, url, { fetch: send, retries: 1 });
    return { send, client: calls as HandlerClient, signal };
  }

  async function answer(request: Request, cookies: string[]): Promise<Response> {
    const name = nameOf(request);
    const [page, route] = [pages.get(name), routes.get(name)];
    if (!page && !route) throw refusal(404, 'not_found', 'There is no such path.');
    const keep = (next: Tokens | undefined) => {
      cookies[0] = next ? jar.keep(next) : jar.end;
    };
    if (page && request.method === 'GET') return page(request, keep);
    if (!route || request.method !== 'POST') return notAllowed(page, route);
    guard(request, jar, allowedOrigins);
    const input = await readBody(request);
    const keepDevice = (token: string | undefined) => {
      const cookie = jar.keepDevice(token);
      if (cookie !== undefined) cookies.push(cookie);
    };
    const { status, body } = await route({
      ...{ input, keep, keepDevice },
      call: { idempotencyKey: request.headers.get('idempotency-key') ?? undefined },
      client: reach(request).client,
      tokens: jar.read(request),
      device: jar.device(request),
    }).catch((error: unknown) => {
      throw errorOf(error);
    });
    return body ? Response.json(body, { status }) : new Response(null, { status });
  }

  async function handle(request: Request): Promise<Response> {
    // The first is that of the session.
    const cookies: string[] = [];
    const response = await answer(request, cookies).catch((error: unknown) =>
      toProblem(
        error instanceof ApiError
          ? error
          : refusal(500, 'internal_error', 'The request could not be read.'),
      ),
    );
    for (const cookie of cookies) response.headers.append('set-cookie', cookie);
    response.headers.set('cache-control', 'no-store');
    response.headers.set('x-content-type-options', 'nosniff');
    return response;
  }

  return Object.assign(handle, {
    async renew(request: Request): Promise<Renewed> {
      const headers = new Headers(request.headers);
      const setCookies: string[] = [];
      // What the handler answers there sets the cookie: one beside it would undo a sign-in or a sign-out.
      let tokens = nameOf(request) ? undefined : jar.read(request);
      const keep = (next: Tokens | undefined) => {
        tokens = next;
        setCookies[0] = next ? jar.keep(next) : jar.end;
        headers.set('cookie', jar.after(request, setCookies[0]));
      };
      try {
        if (tokens && !isFresh(tokens)) {
          const { client, signal } = reach(request, pageDeadline);
          await renew(client, tokens, keep, signal);
        }
      } catch (error) {
        if (isEnd(error)) keep(undefined);
        // An older successor that came has to reach the browser, also where the next one did not come.
        else if (setCookies.length > 0) tokens = undefined;
        else throw errorOf(error);
      }
      return { accessToken: tokens?.access_token, headers, setCookies };
    },
  });
}

/**
 * The access token in the cookie of a request, for a page that your backend renders: give it to `verify`. It takes the
 * `cookieName` and `secure` of the handler. Undefined: no cookie. It may have expired, and a link from another site
 * brings no cookie (SameSite=Strict); the page itself then finds the session. Only to read: what a cookie alone may
 * change, another site may try to change (CSRF).
 */
export function readAccessToken(
  { headers }: { headers: HeaderSource },
  { cookieName = 'session', secure = true }: Pick<CookieOptions, 'cookieName' | 'secure'> = {},
): string | undefined {
  const cookie = headerValues(headers, 'cookie').join('; ');
  const request = { headers: { get: () => cookie } };
  return openJar(cookieName, secure).read(request)?.access_token;
}

function notAllowed(...[page, route]: readonly unknown[]): Response {
  const allow = [page && 'GET', route && 'POST'].filter(Boolean).join(', ');
  const problem = toProblem(refusal(405, 'method_not_allowed', `Only ${allow} is allowed.`));
  problem.headers.set('allow', allow);
  return problem;
}

const deviceOf = ({ headers }: Request): Record<string, string> => ({
  'user-agent': headers.get('user-agent') ?? '',
});

function addressOf(request: Request, { trustedProxy }: CookieOptions): Record<string, string> {
  if (!trustedProxy) return {};
  const address = trustedProxy.addressOf(request) ?? '';
  return {
    'x-origin-verify': trustedProxy.secret,
    // The service expects a port and does not use it.
    ...(/^[\da-f:.]+$/i.test(address) && { 'cloudfront-viewer-address': `${address}:0` }),
  };
}
