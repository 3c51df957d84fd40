import { findRemembered, requestSearch } from './authorization.ts';

/**
 * Where the links of a sign-in open: this tab alone has the token of a mail, as of an invitation, and goes on with it, so it
 * stays until the token is of no more use.
 */
export const linkTarget = (): '_blank' | undefined =>
  (history.state as { fragment?: string } | null)?.fragment === undefined ? undefined : '_blank';

/** The query that links from a page of a mail keep: it is not forgotten, as the page may end in no sign-in. */
export function searchToSignIn(): string {
  const remembered = findRemembered();
  return requestSearch || (remembered ? `?${remembered}` : '');
}
