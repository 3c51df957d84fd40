import { clearCookie, cookiePairs, hostCookie, readCookie, writeCookie } from '../model/cookies.ts';
import { ApiError } from '../model/errors.ts';
import type { RefreshCaller } from './caller.ts';

/**
 * The cookie with the refresh token of a project's hosted pages. Each project has its own, so that a browser may be
 * signed in to several.
 */
const nameOf = (project_id: string): string => hostCookie(`session-${project_id}`);

/** The refresh token in the session cookie of a project, not verified; undefined without exactly one such cookie. */
export const readSessionCookie = (
  cookies: readonly string[],
  project_id: string,
): string | undefined => readCookie(cookies, nameOf(project_id)) || undefined;

/** The projects that a request has session cookies of, not verified. */
export function projectsOfCookies(cookies: readonly string[]): string[] {
  const prefix = nameOf('');
  return cookiePairs(cookies)
    .filter((each) => each.startsWith(prefix) && each.includes('='))
    .map((each) => each.slice(prefix.length, each.indexOf('=')));
}

/** The `Set-Cookie` that keeps a refresh token for so many seconds. */
export const keepSessionCookie = (project_id: string, token: string, maxAge: number): string =>
  writeCookie(nameOf(project_id), token, { maxAge });

/** The `Set-Cookie` that removes the session cookie of a project. */
export const clearSessionCookie = (project_id: string): string => clearCookie(nameOf(project_id));

/** The caller that the session cookie of the project in the path names. Throws `unauthenticated`. */
export function callerOfCookie(
  cookies: readonly string[],
  project_id: string | undefined,
): RefreshCaller {
  const token = project_id && readSessionCookie(cookies, project_id);
  if (!token) throw new ApiError('unauthenticated', { reason: 'no session cookie of the project' });
  return { kind: 'refresh', token };
}
