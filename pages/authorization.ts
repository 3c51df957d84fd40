import { page, projectId, query, service } from './address.ts';

/**
 * The authorization request that brought the browser here, as the query of `/authorize`. The pages take nothing from
 * it but the language and the e-mail, and never go to an address in it: the service reads and checks it again.
 */
const isRequest = (parameters: URLSearchParams) => parameters.has('client_id');
const isOfLogout = page === 'sign-out' || page === 'signed-out';

/** The query that links to the other pages keep, with its `?`. */
export const requestSearch = isRequest(query) && !isOfLogout ? `?${query}` : '';

const key = `authorization ${projectId}`;
/** Milliseconds: as long as a mail takes to be read. */
const lifetime = 3_600_000;

/** Remembers the request while somebody goes on by a mailed link, which opens in another tab. */
export function rememberRequest(): void {
  // Who begins here without an application is not to end at one that was left before.
  if (requestSearch === '') return forgetRequest();
  try {
    localStorage.setItem(key, JSON.stringify({ query: String(query), at: Date.now() }));
  } catch {
    // Blocked by the browser: after the mail the account page comes, and the application signs in anew.
  }
}

/** Any sign-in ends it. */
function forgetRequest(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Blocked by the browser: then there is none.
  }
}

/** What a page of a mailed link goes on with. */
export function findRemembered(): URLSearchParams | undefined {
  // Any other sign-in may be somebody else's.
  if (!['new-password', 'sign-in-link'].includes(page)) return undefined;
  try {
    const text = localStorage.getItem(key);
    const { query: storedQuery, at } = JSON.parse(text ?? '{}') as {
      query?: unknown;
      at?: unknown;
    };
    const isRecent = typeof at === 'number' && Math.abs(Date.now() - at) < lifetime;
    const parameters = new URLSearchParams(
      isRecent && typeof storedQuery === 'string' ? storedQuery : '',
    );
    return isRequest(parameters) ? parameters : undefined;
  } catch {
    return undefined;
  }
}

/** The languages that the application asks for, also where the page goes on by a mail. */
export const uiLocales = (): string =>
  query.get('ui_locales') ?? findRemembered()?.get('ui_locales') ?? '';

/** Where to go after a sign-in: on with the authorization request, if there is one. */
export function authorizeUrl(): string | undefined {
  const remembered = findRemembered();
  forgetRequest();
  const request = requestSearch ? new URLSearchParams(query) : remembered;
  if (!request) return undefined;
  // It has been done, a second ago: another sign-in would be asked for again and again.
  request.delete('prompt');
  request.delete('max_age');
  return `${service}/authorize?${request}`;
}
