import { env } from './env.ts';

/** How long a browser keeps a cookie, and what it sends it with (RFC 6265). */
type CookieAttributes = {
  /** Seconds; 0 removes it. */
  maxAge: number;
  /** Also with a form that another site posts. Browsers take that only over https, or on this machine. */
  crossSite?: boolean;
};

/**
 * The value of a cookie of a request, from the `cookies` of API Gateway's event. Undefined if there is none, or more
 * than one of this name: a page of another host of the same site can plant a second one, and nothing in a request says
 * which of the two is ours.
 */
export function readCookie(cookies: readonly string[], name: string): string | undefined {
  const values = cookiePairs(cookies)
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** Only over https does a browser accept `Secure` and the prefix; http is for a developer's own machine. */
const isSecure = (): boolean => env.baseUrl().startsWith('https:');

/** A name with the prefix by which a browser refuses a cookie that another host of the same domain sets. */
export const hostCookie = (name: string): string => `${isSecure() ? '__Host-' : ''}${name}`;

/**
 * The `Set-Cookie` of a cookie that no script can read, that goes to this host alone, and that a browser attaches to no
 * request of another site but a navigation, unless it is `crossSite`.
 */
export const writeCookie = (
  name: string,
  value: string,
  { maxAge, crossSite = false }: CookieAttributes,
): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${crossSite ? 'None' : 'Lax'}${isSecure() || crossSite ? '; Secure' : ''}`;

/** The `Set-Cookie` that removes a cookie. */
export const clearCookie = (name: string): string => writeCookie(name, '', { maxAge: 0 });

/** The names of the cookies of a request. */
export const cookieNames = (cookies: readonly string[]): string[] =>
  cookiePairs(cookies)
    .filter((each) => each.includes('='))
    .map((each) => each.slice(0, each.indexOf('=')));

/**
 * The cookies of a request, each `name=value`. Not `trim()`: it also removes a no-break space, and a browser lets any
 * host of the same site set a cookie whose name begins with one, because it does not begin with `__Host-`. Each run of
 * blanks is tried at its first one only: a header of 10 KB would take 0.1 s otherwise.
 */
export const cookiePairs = (cookies: readonly string[]): string[] =>
  cookies
    .flatMap((each) => each.split(';'))
    .map((each) => each.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/g, ''));
