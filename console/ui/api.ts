import { ApiError } from '../../client/api-error.ts';
import { type Client, createClient } from '../../client/client.ts';
import type { Mail } from '../../local/aws/ses.ts';
import type { OperatorRequest, RequestOf } from '../../shared/operator/request.ts';
import type { ListedSecret } from '../../shared/operator/secrets.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** How the page asks the console's process, which alone has credentials. */

export type Target = { service: string; stack?: string; local?: true };

const storageKey = 'console.api';
const readStored = () => localStorage.getItem(storageKey) ?? '';
/** The path of the interface of this run. Without the cookie, which no script can read, it is of no use. */
let api = readStored();
/** What this tab shows that it works on. */
let shown: Target | undefined;

/** Exchanges the token of the address for the cookie, and takes it out of the address and the history. */
export async function enter(): Promise<void> {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  try {
    ({ api } = await ask<{ api: string }>('/session', { token }, undefined, fetch));
    localStorage.setItem(storageKey, api);
  } catch (error) {
    // The address of an earlier run, in a browser that has entered this one.
    if (!(await readTarget().catch(() => undefined))) throw error;
  }
  history.replaceState(null, '', location.pathname + location.search);
}

/** Sends a request to the interface. */
async function send(path: string, init?: RequestInit): Promise<Response> {
  const run = api;
  const response = await sendTo(run, path, init);
  return response.status === 401 && (await isFollowed(run)) ? sendTo(api, path, init) : response;
}

const sendTo = async (run: string, path: string, init?: RequestInit): Promise<Response> =>
  run === '' ? Response.json({}, { status: 401 }) : fetch(`${run}${path}`, init);

/**
 * Whether another tab has entered a later run than this one, which has ended, so that a form that is open here goes on.
 * Throws if that run is for another service or stack than this tab shows: its projects may have the same ids. Two
 * folders of data of the service on this machine, one after the other, are one to it.
 */
async function isFollowed(run: string): Promise<boolean> {
  // By another request of this tab.
  if (api !== run) return true;
  if (readStored() === run) localStorage.removeItem(storageKey);
  const next = readStored();
  const response = await sendTo(next, '/target');
  if (!response.ok) return false;
  const { service, stack } = (await response.json()) as Target;
  if (shown && (service !== shown.service || stack !== shown.stack))
    throw new Error('The console now works on another service or stack. Reload this page.');
  api = next;
  return true;
}

/** What the console works on. */
export async function readTarget(): Promise<Target> {
  shown = await ask<Target>('/target');
  return shown;
}

type Answers = {
  list: { projects: ProjectSummary[] };
  /** The warning: its first secret, which nobody has seen, is not revoked yet. */
  create: ProjectSummary & { warning?: string };
  update: ProjectSummary;
  'list-secrets': { secrets: ListedSecret[] };
  'revoke-secret': ProjectSummary;
};

/** Asks the operator function. */
export const operate = <A extends keyof Answers & OperatorRequest['action']>(
  request: RequestOf<A> & { action: A },
  signal?: AbortSignal,
): Promise<Answers[A]> => ask<Answers[A]>('/operator', request, signal);

/** A project with its settings. Throws if there is none with this id. */
export async function readProject(project: string, signal: AbortSignal): Promise<ProjectSummary> {
  const { projects } = await operate({ action: 'list' }, signal);
  const found = projects.find(({ project_id }) => project_id === project);
  if (!found) throw new Error(`The project ${project} does not exist.`);
  return found;
}

export const readMails = (signal: AbortSignal) => ask<Mail[]>('/mails', undefined, signal);

/** The position of the newest events of the feed, or of the audit log of a workspace. */
export const readNewest = (project: string, signal: AbortSignal, workspace_id?: string) => {
  const path = workspace_id === undefined ? project : `${project}/${workspace_id}`;
  return ask<{ after: number }>(`/newest/${path}`, undefined, signal);
};

/** The operations of the service, in the name of a project. */
export const clientOf = (project: string): Client =>
  createClient(`${location.origin}/projects/${project}`, {
    fetch: (input, init) => send(String(input).slice(location.origin.length), init),
  });

/** The user of a project with an e-mail. Throws if there is none. */
export async function readUser(project: string, email: string): Promise<{ uid: string }> {
  const { body } = await clientOf(project).users.list({ email });
  const [user] = body.result;
  if (!user) throw new Error(`No user has the e-mail ${email}.`);
  return user;
}

async function ask<T>(
  path: string,
  body?: object,
  signal?: AbortSignal,
  by: (path: string, init: RequestInit) => Promise<Response> = send,
): Promise<T> {
  const response = await by(path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    ...(signal && { signal }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new ApiError(response.status, response.headers, answer);
  return answer as T;
}
