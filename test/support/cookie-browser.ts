import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type CookieOptions, createCookieHandler } from '../../client/cookies.ts';
import { CookieJar } from './cookie-jar.ts';
import { serve } from './serve.ts';

/** Mounts the handler in a real backend, which stops when the test file ends. */
export function startBackend(options: Omit<CookieOptions, 'path'>) {
  const handler = createCookieHandler({ secure: false, ...options });
  return serve((incoming, outgoing) => {
    void (async () => {
      const response = await handler(await toRequest(incoming));
      outgoing.statusCode = response.status;
      // Separately, because cookies cannot share a header line.
      outgoing.setHeaders(response.headers);
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })();
  });
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', headers, url = '/' } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await buffer(incoming);
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(body && { body: new Uint8Array(body) }),
  });
}

/** The headers of a page's POST to the handler, by which it proves that no other site sends it. */
export const proofs = (token: string) => ({
  ...{ 'content-type': 'application/json', 'x-csrf': '1', 'x-csrf-token': token },
});

/** The origin of `pageRequest`, and the cookie of its CSRF token. */
const app = 'https://app.example.com';
const csrf = 'c'.repeat(43);
export const csrfCookie = `__Host-session-csrf=${csrf}`;

/** A POST of a page of https://app.example.com to a handler that is not listening; `at`: the URL of its server. */
export const pageRequest = (
  path: string,
  { at = app, headers = {}, body = {} }: { at?: string; headers?: object; body?: object } = {},
) =>
  new Request(at + path, {
    method: 'POST',
    headers: { origin: app, cookie: csrfCookie, ...proofs(csrf), ...headers },
    body: JSON.stringify(body),
  });

/** The part of a response that page scripts can read: no Set-Cookie. */
export type Seen = { status: number; headers: [string, string][]; text: string };

/** A browser on a page of the origin: it keeps cookies and sends Origin and Sec-Fetch-Site. */
export function openBrowser(origin: string) {
  const cookies = new CookieJar();
  /** Every response that page scripts could read. */
  const seen: Seen[] = [];
  /** Every Set-Cookie header, unchanged. */
  const set: string[] = [];
  /** While true, responses are lost after the backend has done its work. */
  const network = { loses: false };

  const browse: typeof fetch = async (target, init = {}) => {
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      ...{ 'sec-fetch-site': 'same-origin', ...cookies.header },
      ...(init.method === 'POST' && { origin }),
    };
    const url = new URL(target instanceof Request ? target.url : target, origin);
    const response = await fetch(url, { ...init, headers });
    if (network.loses) {
      await response.arrayBuffer();
      throw new TypeError('the connection broke');
    }
    const lines = response.headers.getSetCookie();
    set.push(...lines);
    cookies.keep(lines);
    const visible = new Headers(response.headers);
    visible.delete('set-cookie');
    const text = await response.text();
    seen.push({ status: response.status, headers: [...visible], text });
    return new Response(text === '' ? null : text, { status: response.status, headers: visible });
  };

  /** Posts as the page does. `key`: the Idempotency-Key. */
  async function post<Body = Record<string, unknown>>(
    path: string,
    input: object = {},
    key?: string,
  ) {
    const answer = await browse('/auth/csrf');
    const { csrf_token } = (await answer.json()) as { csrf_token: string };
    const response = await browse(`/auth${path}`, {
      method: 'POST',
      headers: {
        ...proofs(csrf_token),
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    return { response, status: response.status, body: JSON.parse(text || '{}') as Body };
  }
  return { browse, post, cookies, seen, set, network };
}
