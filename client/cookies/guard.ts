import type { CookieJar } from './jar.ts';
import { refusal } from './problem.ts';

/** Bytes, as the service allows them in all of these operations. */
const maxBodyBytes = 64 * 1024;

/**
 * Refuses a request that a page of this origin cannot have sent (CSRF, also of the sign-in): by the browser's own word
 * (`Sec-Fetch-Site`, `Origin`), by a header that makes a foreign page ask first (CORS), and by a token that a foreign
 * page cannot read.
 *
 * Each of the first two is enough against other origins, by OWASP's CSRF cheat sheet: the handler answers no preflight,
 * so a foreign page can send neither the header nor JSON. The token stays right if a proxy adds CORS headers by
 * mistake. It is not signed: its cookie has the prefix `__Host-`, so nobody else can set it.
 */
export function guard(request: Request, jar: CookieJar, allowedOrigins: ReadonlySet<string>): void {
  const { headers } = request;
  requireSameOrigin(request, allowedOrigins);
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  // A form can be sent to any site, as text/plain even with JSON in it.
  if (type.trim().toLowerCase() !== 'application/json')
    throw refusal(415, 'unsupported_media_type', 'Send application/json.');
  if (headers.get('x-csrf') !== '1') throw refusal(403, 'forbidden', 'Send the header x-csrf: 1.');
  const token = jar.csrf(request);
  if (token === undefined || !isEqual(token, headers.get('x-csrf-token') ?? ''))
    throw refusal(403, 'forbidden', 'Send the token of GET /csrf as x-csrf-token.', {
      reason: 'csrf_token',
    });
}

/** Refuses what the browser says comes from elsewhere. A request that reads need not say where it comes from. */
export function requireSameOrigin(
  { headers, url, method }: Request,
  allowedOrigins: ReadonlySet<string>,
): void {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const ownOrigin = new URL(url).origin;
  const isRead = method === 'GET';
  // Not same-site either: a subdomain may belong to somebody else.
  const isAllowed =
    (site === null || site === 'same-origin') &&
    (origin === null
      ? isRead || site === 'same-origin'
      : origin === ownOrigin || allowedOrigins.has(origin));
  if (!isAllowed)
    throw refusal(
      403,
      'forbidden',
      'Only pages of this origin may ask. Behind a proxy: see allowedOrigins.',
    );
}

/** Refuses what is no navigation of a person: a prefetch or a picture begins no sign-in and ends no session. */
export function requireNavigation({ headers }: Request): void {
  const destination = headers.get('sec-fetch-dest') ?? 'document';
  if (destination !== 'document' || headers.has('sec-purpose'))
    throw refusal(403, 'forbidden', 'Only a browser that goes to this page may ask.');
}

/** Compares in a time that does not tell where the first difference is. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i += 1) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}

/** Reads a JSON object of at most 64 KiB, and no more than that of a longer body. */
export async function readBody({ headers, body }: Request): Promise<Record<string, unknown>> {
  const requireShort = (bytes: number) => {
    if (bytes > maxBodyBytes)
      throw refusal(413, 'content_too_large', `The body must not exceed ${maxBodyBytes} bytes.`);
  };
  // Unread: React Router and SvelteKit close the connection of a body that is cancelled, before the answer.
  requireShort(Number(headers.get('content-length')));
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // To leave the loop cancels the body: the client need not send the rest.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    requireShort(size);
    text += decoder.decode(chunk, { stream: true });
  }
  let value: unknown;
  try {
    value = JSON.parse(text + decoder.decode() || '{}');
  } catch {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(400, 'invalid_request', 'The body must be a JSON object.');
  return { ...value };
}
