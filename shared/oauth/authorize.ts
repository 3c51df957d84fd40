import { arePagesAt, type Domained, pagesBaseUrl, pageUrl } from '../access/hosted-pages.ts';
import type { SessionItem } from '../access/live-session.ts';
import { getProjectWith } from '../access/projects.ts';
import { signedInAt } from '../access/recent-sign-in.ts';
import type { AuthorizationParameters } from '../contract/oauth.ts';
import { type Change, change, noChange } from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { findBrowserSession } from '../identity/sessions/browser-session.ts';
import { env } from '../model/env.ts';
import { projectId } from '../model/fields.ts';
import { newSecret } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';
import {
  type AuthorizationRequest,
  errorRedirect,
  hasTarget,
  projectIdOf,
  readAuthorizationRequest,
} from './authorization-request.ts';
import { storeCode } from './codes.ts';
import { readIdTokenHint } from './id-token.ts';
import { type Called, isOpenToPrograms, withParameters } from './redirect-uri.ts';

/**
 * Answers an authorization request with the address to go to: back to the client with a code or an error, or to the
 * page on which the person signs in. Nobody is asked for consent, because every client is the own one of its project.
 * Throws `invalid_request` where nobody may be redirected.
 */
export async function authorize(
  parameters: AuthorizationParameters,
  { cookies, host, path }: Called,
  now: Date,
): Promise<Change<string>> {
  const issuer = env.baseUrl();
  const project_id = projectIdOf(parameters.client_id ?? '');
  const isProjectId = projectId.safeParse(project_id).success;
  const project = isProjectId
    ? await getProjectWith(project_id, (known) => hasTarget(known, parameters))
    : undefined;
  const pages: Domained = { project_id, ...project };
  const request = readAuthorizationRequest(parameters, project, issuer);
  if ('refused' in request) return noChange(request.refused);
  // The cookie is where the pages are, and the browser goes there with the same request.
  if (!arePagesAt(pages, host))
    return noChange(withParameters(`${pagesBaseUrl(pages)}${path}`, parameters));
  currentRequest().subject = { project_id };
  const loginRequired = (why: string) =>
    noChange(errorRedirect(request, issuer, 'login_required', why));

  const session = await findBrowserSession(cookies, project_id, now);
  if (!session || !isFresh(session, request, now))
    return request.prompt.includes('none')
      ? loginRequired('the user has to sign in')
      : noChange(pageFor(pages, parameters, request));
  // Core, section 3.1.2.2: no tokens of another user than the hint names. An unreadable hint is ignored.
  const hint =
    request.id_token_hint === undefined ? undefined : await readIdTokenHint(request.id_token_hint);
  if (hint && hint.sub !== session.uid) return loginRequired('another user is signed in');

  const code = newSecret();
  const { redirect_uri, state } = request;
  return change(
    { code: storeCode(code, request, session, now) },
    withParameters(redirect_uri, { code, state, iss: issuer }),
  );
}

/**
 * Whether a session satisfies a request: `prompt` asks for no new sign-in, and `max_age` for no later one. The sign-in
 * is that of `auth_time`: who has reauthenticated since has signed in then. A program on the user's machine
 * gets a code within a minute of a sign-in only, so that none gets one behind the user's back. The minute begins when
 * the page has kept the session: before that a person may have stored recovery codes.
 */
function isFresh(
  session: SessionItem,
  { prompt, max_age = Infinity, redirect_uri }: AuthorizationRequest,
  now: Date,
): boolean {
  const anew = prompt.some((each) => signsIn.includes(each));
  const { created_at, kept_at = created_at } = session;
  const since = (seconds: number) => epochSeconds(now) - seconds;
  return (
    !anew &&
    since(signedInAt(session)) <= max_age &&
    (!isOpenToPrograms(redirect_uri) ||
      since(epochSeconds(new Date(kept_at))) <= lifetimes.signInForProgram)
  );
}

const signsIn: readonly string[] = ['login', 'create', 'select_account'];

/**
 * The page on which the person signs in, or up; it leads back here with the same parameters and without `prompt`.
 * `max_age` becomes `prompt=login`, because no sign-in can be newer than the one of the page: a client that asks for 0
 * seconds would be sent there again and again. The client finds the time in `auth_time`.
 */
function pageFor(
  pages: Domained,
  parameters: AuthorizationParameters,
  { prompt, max_age, redirect_uri }: AuthorizationRequest,
): string {
  const isNew = prompt.includes('create');
  const anew =
    max_age !== undefined ||
    isOpenToPrograms(redirect_uri) ||
    prompt.some((each) => signsIn.includes(each));
  return withParameters(pageUrl(pages, isNew ? 'sign-up' : 'sign-in'), {
    ...parameters,
    max_age: undefined,
    prompt: anew ? (isNew ? 'create' : 'login') : undefined,
  });
}
