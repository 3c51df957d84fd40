import { isEnd, isStale } from '../client/api-error.ts';
import type { CallOptions, Result, Verb } from '../client/call.ts';
import { bearer, createUserClient, type SessionClient } from '../client/client.ts';
import type { User } from '../client/generated/api.ts';
import { withLock } from '../client/lock.ts';
import { mapOperations } from '../client/map-operations.ts';
import { newKey, send } from '../client/send.ts';
import { projectId, service } from './address.ts';
import { askAgain, endAsking } from './asking.ts';
import { isCode } from './failures.ts';
import { hrefOf } from './href.ts';

/**
 * The session of the browser. Its refresh token is in a cookie that no script can read; access tokens are in the memory
 * of the tab alone.
 */
type Renewal = { access_token: string; expires_in: number; uid: string; user: User };

let access: { token: string; until: number } | undefined;
let uid: string | undefined;
let showUser: (user: User | undefined) => void = () => {};

/** Hears who is signed in: at once, and after every change. */
export function onUser(listener: typeof showUser): void {
  showUser = listener;
}

/** A user who has changed. */
export const takeUser = (user: User): void => showUser(user);

/** Seconds: a token that is good for less is renewed before it is used. */
const reserve = 30;

// A try that is repeated needs no key: for a minute the refresh token before the current one gets the same successor.
const post = (path: string, authorization?: string) =>
  send(
    `${path} reads`,
    { project_id: projectId },
    { authorization },
    { url: service, fetch: fetchKeepalive },
  );

/** Goes on when the page is closed: a cookie that was renewed and did not arrive would later look stolen. */
const fetchKeepalive: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true });

/** The lock of the session: its cookie is one for all tabs. */
const sessionLock = `session ${projectId}`;

let pendingRenewal: Promise<string> | undefined;

/** Renews the access token: one request at a time, in this tab and in all others. @throws ApiError 401: signed out. */
export function renew(): Promise<string> {
  pendingRenewal ??= withLock(sessionLock, async () => {
    const { body } = await post('POST /pages/{project_id}/session/token');
    const renewal = body as Renewal;
    // Another tab has signed somebody else in: what one user began must not go on as another.
    if (uid !== undefined && uid !== renewal.uid) {
      location.reload();
      return new Promise<never>(() => {});
    }
    access = {
      token: renewal.access_token,
      until: performance.now() + (renewal.expires_in - reserve) * 1_000,
    };
    uid = renewal.uid;
    showUser(renewal.user);
    return renewal.access_token;
  })
    .catch((error: unknown) => {
      if (isEnd(error)) forget();
      throw error;
    })
    .finally(() => {
      pendingRenewal = undefined;
    });
  return pendingRenewal;
}

function forget(): void {
  access = undefined;
  uid = undefined;
  endAsking();
  showUser(undefined);
}

const authorization = async (): Promise<string> =>
  bearer(access && performance.now() < access.until ? access.token : await renew());

/** Sends a request in the language of the page, so that a mail that it causes has the same. */
export const fetchInLanguage: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    headers: {
      ...(init?.headers as Record<string, string>),
      'accept-language': document.documentElement.lang,
    },
  });

const connection = { authorization, fetch: fetchInLanguage };

/**
 * A call as the user: once more with a new token where the service refuses the one that it had, and where it takes a
 * recent sign-in, once more when they have proven who they are.
 */
const asUser =
  (verb: Verb): Verb =>
  async (input, call) => {
    // One for all of these: while the answer to a change was lost, its token may have expired.
    const options = { idempotencyKey: newKey(), ...call };
    const sendRenewing = async () => {
      try {
        return await verb(input, options);
      } catch (error) {
        if (!isStale(error)) throw error;
      }
      await renew();
      try {
        return await verb(input, options);
      } catch (error) {
        // The 401 of somebody in between, as of a proxy, says nothing of the session.
        if (isEnd(error) && isStale(error)) forget();
        throw error;
      }
    };
    try {
      return await sendRenewing();
    } catch (error) {
      if (!isCode(error, 'reauthentication_required') || !(await askAgain())) throw error;
      return sendRenewing();
    }
  };

/** The operations of the service that pages of applications call too, as who is signed in. */
export const api = mapOperations(createUserClient(service, connection), asUser) as SessionClient;

/** Sends an operation that `api` does not have, as who is signed in, and resolves with the answer and its headers. */
export const callAsUser = (operation: string, input: Record<string, unknown>, call?: CallOptions) =>
  asUser((_, options = {}) => send(operation, input, options, { url: service, ...connection }))(
    input,
    call,
  ) as Promise<Result<unknown>>;

/** The same, where the answer alone matters. */
export const sendAsUser = async (operation: string, input: Record<string, unknown> = {}) =>
  (await callAsUser(operation, input)).body;

/** Sends an operation that takes no credential and that `api` does not have. */
export const sendPublicly = async (operation: string, input: Record<string, unknown>) =>
  (await send(`${operation} public`, input, {}, { url: service })).body;

/** Whether somebody is signed in. */
export async function restore(): Promise<boolean> {
  try {
    await renew();
    return true;
  } catch (error) {
    if (isEnd(error)) return false;
    throw error;
  }
}

let isInSecondStep = false;

/** Whether a sign-in of this page is in its second step. */
export const noteSecondStep = (shown: boolean): void => void (isInSecondStep = shown);

/**
 * Goes on as who has signed in in another tab, as by the link of a mail. Not in the second step of a sign-in: it has
 * recovery codes that are shown once.
 */
export const look = (): void => {
  if (!isInSecondStep) void restore().catch(() => {});
};

/** Keeps a session that has just begun. */
export async function begin(refresh_token: string): Promise<void> {
  // In turn with the renewals of other tabs, whose late cookie would take the place of this one.
  await withLock(sessionLock, () =>
    post('POST /pages/{project_id}/session', bearer(refresh_token)),
  );
  uid = undefined;
}

/** Ends the session of this browser; without one there is nothing to do. */
export async function signOut(): Promise<void> {
  try {
    await withLock(sessionLock, () => post('DELETE /pages/{project_id}/session'));
  } catch (error) {
    if (!isEnd(error)) throw error;
  }
}

/** Ends the session of this browser and asks for another one in the same place, with what the page was opened for. */
export async function switchAccount(): Promise<void> {
  await signOut();
  forget();
}

/** Ends the session of this browser and says so. */
export async function leave(): Promise<void> {
  await signOut();
  location.assign(hrefOf('signed-out'));
}
