import { arePagesAt, pagesBaseUrl, pageUrl } from '../access/hosted-pages.ts';
import type { SessionItem } from '../access/live-session.ts';
import { getProject, getProjectWith, type OAuthClient, type Project } from '../access/projects.ts';
import { projectsOfCookies } from '../access/session-cookie.ts';
import type { LogoutParameters } from '../contract/oauth.ts';
import { getItem } from '../db/batch-loader.ts';
import type { Change } from '../db/change.ts';
import { noChange } from '../db/change.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { findBrowserSession } from '../identity/sessions/browser-session.ts';
import { endSessions } from '../identity/sessions/sessions.ts';
import { ApiError } from '../model/errors.ts';
import { projectId } from '../model/fields.ts';
import { findClient, projectIdOf } from './authorization-request.ts';
import { type IdTokenHint, readIdTokenHint } from './id-token.ts';
import { type Called, withParameters } from './redirect-uri.ts';

/** The redirect after a sign-out, and the project whose cookie it clears. */
export type SignedOut = { location: string; clears: string | undefined };

/**
 * Signs a person out on behalf of a client (OpenID Connect RP-Initiated Logout 1.0). An ID token says that the client
 * has had this person, and ends at once the session that it names and the one of the browser, if it is the same
 * person's. Anybody can send a browser here without one: then a page asks the person first, and nothing ends. A browser
 * without a session is sent on, so the page comes back here when the person has said yes. It redirects only to
 * addresses that the client has registered. Throws `invalid_request` if no client is named that the project still has,
 * unless the page can ask without one.
 */
export async function logout(
  parameters: LogoutParameters,
  from: Called,
  now: Date,
): Promise<Change<SignedOut>> {
  const { id_token_hint } = parameters;
  const read = id_token_hint === undefined ? undefined : await readIdTokenHint(id_token_hint);
  // A token issued to another client is ignored (section 2).
  const hint = read && (parameters.client_id ?? read.aud) === read.aud ? read : undefined;
  const client_id = parameters.client_id ?? hint?.aud;
  if (client_id === undefined) return withoutClient(parameters, from, now);
  const project_id = projectIdOf(client_id);
  const isProjectId = projectId.safeParse(project_id).success;
  const project = isProjectId
    ? await getProjectWith(project_id, (known) => {
        const client = findClient(known, client_id);
        return client !== undefined && leadsBack(client, parameters);
      })
    : undefined;
  const client = findClient(project, client_id);
  if (!project || !client) return withoutClient(parameters, from, now, project);
  if (!arePagesAt(project, from.host)) return elsewhere(project, parameters, from);

  currentRequest().subject = { project_id };
  const [browser, started] = await Promise.all([
    findBrowserSession(from.cookies, project_id, now),
    hint && findStarted(hint, project_id),
  ]);
  const target = targetOf(client, parameters, project);
  if (!hint) {
    const page = withParameters(pageUrl(project, 'sign-out'), parameters);
    return noChange({ location: browser ? page : target, clears: undefined });
  }
  const own = browser?.uid === hint.sub ? browser : undefined;
  const ending = [started, own].flatMap((session) => session?.session_id ?? []);
  currentRequest().subject = { project_id, uid: hint.sub };
  return endSessions(hint.sub, ending).as(() => ({
    location: target,
    clears: own && project_id,
  }));
}

/**
 * The cookie is where the pages are, and the browser goes there with the same request. One that it still has of before,
 * when they were here, would sign it in again if they came back.
 */
const elsewhere = (
  project: Project,
  parameters: LogoutParameters,
  { path }: Called,
): Change<SignedOut> =>
  noChange({
    location: withParameters(`${pagesBaseUrl(project)}${path}`, parameters),
    clears: project.project_id,
  });

/**
 * No parameter is required (section 2), and a client may be gone while its people are still signed in. The page of the
 * project that such a client names, or else of the one that the browser is signed in to, asks, and leads to no client
 * afterwards.
 */
async function withoutClient(
  parameters: LogoutParameters,
  from: Called,
  now: Date,
  named?: Project,
): Promise<Change<SignedOut>> {
  const project = named?.hosted_pages === true ? named : await projectOf(from.cookies);
  if (project?.hosted_pages !== true) throw noClient();
  if (!arePagesAt(project, from.host)) return elsewhere(project, parameters, from);
  if (!(await findBrowserSession(from.cookies, project.project_id, now))) throw noClient();
  const page = withParameters(pageUrl(project, 'sign-out'), { ui_locales: parameters.ui_locales });
  return noChange({ location: page, clears: undefined });
}

/**
 * The one project of these cookies. With several it is unclear which one is meant, and the cookie of a project with a
 * domain of its own is there and not here.
 */
async function projectOf(cookies: readonly string[]): Promise<Project | undefined> {
  const [project_id = '', ...others] = projectsOfCookies(cookies);
  const isOne = others.length === 0 && projectId.safeParse(project_id).success;
  return isOne ? getProject(project_id) : undefined;
}

const noClient = () =>
  new ApiError('invalid_request', {
    detail:
      'Neither client_id nor a valid id_token_hint names a client of a project with hosted pages, and this browser is signed in to no such project here, or to several: where its pages have a domain of their own, client_id or id_token_hint is required',
  });

/** The session of an ID token, if it still is that of the client. */
async function findStarted(
  { sub, sid, aud }: IdTokenHint,
  project_id: string,
): Promise<SessionItem | undefined> {
  const session = await getItem<SessionItem>(keys.session(sub, sid));
  const ofClient = session?.project_id === project_id && session.client_id === aud;
  return ofClient && session.revoked_at === undefined ? session : undefined;
}

/** Whether a sign-out goes nowhere else than it asks to. */
const leadsBack = (
  { post_logout_redirect_uris }: OAuthClient,
  { post_logout_redirect_uri: uri }: LogoutParameters,
): boolean => uri === undefined || post_logout_redirect_uris.includes(uri);

function targetOf(
  { post_logout_redirect_uris }: OAuthClient,
  { post_logout_redirect_uri: uri, state }: LogoutParameters,
  project: Project,
): string {
  return uri !== undefined && post_logout_redirect_uris.includes(uri)
    ? withParameters(uri, { state })
    : pageUrl(project, 'signed-out');
}
