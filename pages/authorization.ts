import { fragment, page, projectId, query, service } from './address.ts';

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
/** Mails that may be on their way at once; of more, the oldest ends at the account. */
const maxRemembered = 5;

/**
 * What a mail goes on with. `of`: the id of its link, or else its address, which is all that a mail about a password
 * can be known by; '' once a sign-in has gone on with the request. `query`: without an application, the languages alone.
 */
type Remembered = { of: string; query: string; at: number };

/** The newest first. */
function read(): Remembered[] {
  try {
    const all = JSON.parse(localStorage.getItem(key) ?? '[]') as Remembered[];
    return all.filter(({ at }) => Math.abs(Date.now() - at) < lifetime);
  } catch {
    return [];
  }
}

function store(all: Remembered[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(all.slice(0, maxRemembered)));
  } catch {
    // Blocked by the browser: after the mail the account page comes, and the application signs in anew.
  }
}

/**
 * Remembers the request while somebody goes on by a mail, whose link opens in another tab. Also that there is none: who
 * begins here without an application is not to end at one that was left before.
 *
 * @param mail the id of its link, or its address
 */
export function rememberRequest(mail: string): void {
  const of = mail.toLowerCase();
  const others = read().filter((each) => each.of !== of);
  const languages = new URLSearchParams({ ui_locales: uiLocales() });
  store([{ of, query: requestSearch.slice(1) || `${languages}`, at: Date.now() }, ...others]);
}

/** What this page of a mailed link goes on with, if it is one. */
function findQuery(email?: string): URLSearchParams {
  // Any other sign-in may be somebody else's.
  const all = ['new-password', 'sign-in-link'].includes(page) ? read() : [];
  const mail = (fragment.get('link_id') ?? email)?.toLowerCase();
  const found = all.find(({ of }) => (mail === undefined ? of !== '' : of === mail));
  return new URLSearchParams(found?.query);
}

/**
 * The request that a page of a mailed link goes on with.
 *
 * @param email whose mailbox the mail has proven. Before that is known, the newest mail counts.
 */
export function findRemembered(email?: string): URLSearchParams | undefined {
  const parameters = findQuery(email);
  return isRequest(parameters) ? parameters : undefined;
}

/**
 * Where a page goes on when somebody has signed in in another tab: with the request as it is, as the service decides
 * whether that is enough. Not where a mail has gone on with it: the application would refuse a second answer.
 */
export function waitingUrl(): string | undefined {
  const isDone = read().some((each) => each.of === '' && `?${each.query}` === requestSearch);
  return requestSearch === '' || isDone ? undefined : `${service}/authorize${requestSearch}`;
}

/** The languages that the application or a link asks for, also where the page goes on by a mail. */
export const uiLocales = (): string =>
  query.get('ui_locales') ?? findQuery().get('ui_locales') ?? '';

/** Where to go after the sign-in of a user: on with the authorization request, if there is one. */
export function authorizeUrl(email: string): string | undefined {
  const request = requestSearch ? new URLSearchParams(query) : findRemembered(email);
  if (!request) return undefined;
  // Its application has its user: no other mail is to lead there.
  const done = String(request);
  store(read().map((each) => (each.query === done ? { ...each, of: '' } : each)));
  // It has been done, a second ago: another sign-in would be asked for again and again.
  request.delete('prompt');
  request.delete('max_age');
  return `${service}/authorize?${request}`;
}
