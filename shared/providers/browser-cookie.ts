import { clearCookie, cookieNames, hostCookie, readCookie, writeCookie } from '../model/cookies.ts';
import { sha256 } from '../model/ids.ts';
import { providerLifetimes } from '../model/provider-limits.ts';

/** Sign-ins that a browser may have begun and not finished. With more, its cookies would not fit into a request. */
const maxBegun = 8;

const prefix = (): string => hostCookie('provider-');

/** Each sign-in has a cookie of its own, so that two tabs do not disturb one another. */
const nameOf = (state: string): string => `${prefix()}${sha256(state).slice(0, 16)}`;

/**
 * The `Set-Cookie` headers that bind a sign-in to this browser: nobody can finish there what was begun elsewhere. If
 * too many were begun and left, the old ones go.
 *
 * @param crossSite whether the provider answers with a form, which is posted from its site
 */
export function bindToBrowser(
  cookies: readonly string[],
  { state, secret, crossSite }: { state: string; secret: string; crossSite: boolean },
): string[] {
  const old = cookieNames(cookies).filter((name) => name.startsWith(prefix()));
  return [
    ...(old.length >= maxBegun ? old.map(clearCookie) : []),
    writeCookie(nameOf(state), secret, {
      maxAge: providerLifetimes.signIn,
      crossSite,
    }),
  ];
}

/** The secret by which a browser has begun the sign-in of a state, not verified. */
export const readBinding = (cookies: readonly string[], state: string): string | undefined =>
  readCookie(cookies, nameOf(state));

export const clearBinding = (state: string): string => clearCookie(nameOf(state));
