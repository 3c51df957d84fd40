import { isStale } from './api-error.ts';
import { asUser, overtakenError } from './as-user.ts';
import { type Entered, type Started, signInMethods } from './auth/methods.ts';
import type { AuthOptions } from './auth/options.ts';
import type { PageSession } from './auth/page-session.ts';
import { renewing } from './auth/renew.ts';
import { names } from './claims.ts';
import {
  ApiError,
  bearer,
  callsOf,
  type Routes,
  type SessionClient,
  type UserClient,
} from './client.ts';
import type { CookieAuth } from './cookie-session.ts';
import { rememberDevice } from './device.ts';
import { userRoutes } from './generated/user-routes.ts';
import { mapOperations } from './map-operations.ts';
import { createSpare, reserve } from './reserve.ts';
import { newKey } from './send.ts';
import { keepSession } from './session.ts';
import { isPage, openStorage } from './storage.ts';
import { keyOf, type Pair, pairOf } from './token-pair.ts';

export type { Entered } from './auth/methods.ts';
export type { AuthOptions } from './auth/options.ts';
export type { TokenOptions } from './reserve.ts';

export interface Auth extends PageSession, ReturnType<typeof signInMethods> {
  /** Resolves when the session is restored from the storage or another tab, if there is one. */
  ready: Promise<void>;
  /** Chooses the workspace that the access tokens of all tabs name from now on; null: none. */
  selectWorkspace(workspace_id: string | null): Promise<void>;
  /**
   * Forgets the session here and in every tab at once, then ends it at the service; `everywhere`: and all others of
   * the user. If it throws, the service could not be reached, and the session there lives on until it expires.
   */
  signOut: (options?: { everywhere?: boolean }) => Promise<void>;
}

/**
 * The session of a page, from `createAuth` or `createCookieAuth`. If a response to the page starts a session, the
 * cookie does not get it. So each of the two has its own way to sign in by the entries `./factors` and `./links`.
 */
export type PageAuth = Omit<Auth, 'signIn'> & {
  signIn: Omit<Auth['signIn'], 'take' | 'device'> &
    Partial<Pick<Auth['signIn'], 'take' | 'device'> & Pick<CookieAuth['signIn'], 'enrol' | 'link'>>;
};

/**
 * Creates the session of a browser: signs people in and out, renews their tokens, and calls the service for them.
 * Its methods throw `ApiError` for an answer that is no success, and what `fetch` throws if there is none; a sign-in
 * that a later sign-in or sign-out has overtaken throws an `AbortError`.
 */
export function createAuth(options: AuthOptions): Auth {
  const { url, projectId, storage = 'memory', captcha, fetch, tabs } = options;
  const callsBy = (routes: Routes) => callsOf(routes, url, { fetch, project_id: projectId });
  const client = callsBy(userRoutes) as SessionClient;
  const device = rememberDevice(projectId);
  const name = `auth ${projectId} ${url}`;
  const session = keepSession(openStorage(storage, name), name, tabs ?? isPage());
  // A storage of the caller's own has the session, if there is one.
  const ready = session.restore(typeof storage === 'string');
  /** Refreshes under way in this tab. */
  const pendingRefreshes = new Map<string, Promise<Pair | string | undefined>>();
  /** Numbers of the sign-ins and sign-outs: of those that were asked for, and of the one that counts. */
  let attempts = 0;
  let effectiveAttempt = 0;

  const spare = createSpare();
  const renew = renewing(client);

  /** Puts the successor in the place of the pair, once for all tabs. */
  async function refresh(current: Pair): Promise<Pair | undefined> {
    const key = keyOf(current);
    const isCurrent = () => {
      const pair = session.read();
      return pair && keyOf(pair) === key;
    };
    let pendingRefresh = pendingRefreshes.get(key);
    if (!pendingRefresh) {
      pendingRefresh = session
        .alone(async () => {
          // While this tab waited, another one has refreshed or signed out.
          if (!isCurrent()) return undefined;
          const next = await renew(current);
          // While it was asked for, somebody has signed out or in.
          if (isCurrent()) {
            if (typeof next === 'string') session.end(current, next);
            else session.take(next);
          }
          return next;
        })
        .finally(() => pendingRefreshes.delete(key));
      pendingRefreshes.set(key, pendingRefresh);
    }
    // A change by another tab, or a sign-out, does not wait for the response.
    await Promise.race([pendingRefresh, session.changed()]);
    const pair = session.read();
    // A call that one user began must not go on as another user.
    return pair?.uid === current.uid ? pair : undefined;
  }

  /** The pair with an access token that is good for a while, and is not `refused`. */
  async function fresh(refused?: string): Promise<Pair | undefined> {
    await ready;
    let pair = session.read();
    const left = () => (session.read()?.access_token === refused ? 0 : session.left());
    for (let tries = 3; pair && tries > 0 && left() < reserve; ) {
      const current = pair;
      const requestedAt = Date.now();
      const next = await spare(left, () => refresh(current));
      if (next === null) return session.read();
      pair = next;
      if (pair?.turn === current.turn || !isStored(pair, requestedAt)) tries -= 1;
    }
    return pair;
  }

  const { getAccessToken, authorized } = asUser<Pair>({
    ready,
    shown: () => session.snapshot()?.uid,
    fresh,
    renew: refresh,
  });

  /** Stores the session that an answer starts, unless something has been done since it was asked for. */
  async function start(response: Promise<Started>): Promise<Entered> {
    const attempt = ++attempts;
    const at = Date.now();
    const { body } = await response;
    const previous = session.read();
    const pair = pairOf(body, { id: newKey(), since: session.after(at), turn: 0 }, at);
    const isLate = attempt < effectiveAttempt;
    if (!isLate) {
      effectiveAttempt = attempt;
      session.take(pair);
    }
    // Nobody would have the tokens of the session that is not kept, with which it could be ended.
    const orphan = isLate ? pair : previous;
    if (orphan) endAtService(orphan).catch(() => {});
    if (isLate) throw overtakenError();
    const { uid, user, user_created, device_token } = body;
    device.keep(body);
    return { uid, user, user_created, device_token };
  }

  async function signOut({ everywhere = false } = {}): Promise<void> {
    const attempt = ++attempts;
    effectiveAttempt = attempt;
    if (!session.read()) await ready;
    const pair = session.read();
    if (effectiveAttempt !== attempt) return;
    if (pair) {
      session.end(pair, 'signed_out');
      return endAtService(pair, everywhere);
    }
    if (everywhere) throw sessionEndedError('unauthenticated');
  }

  /** `everywhere`: throws where the session has ended before, because by it no other could be ended. */
  async function endAtService(current: Pair, everywhere?: boolean): Promise<void> {
    let pair: Pair | string = current;
    for (let tries = 3; typeof pair !== 'string'; ) {
      const authorization = bearer(pair.access_token);
      try {
        if (everywhere) await client.sessions.endAll({}, { authorization });
        await client.sessions.signOut({}, { authorization });
        return;
      } catch (error) {
        if (!isStale(error) || tries === 0) throw error;
      }
      const requestedAt = Date.now();
      // The token has expired, or the session has ended, which the refresh tells.
      pair = (await pendingRefreshes.get(keyOf(pair))) ?? (await renew(pair));
      if (!isStored(pair, requestedAt)) tries -= 1;
    }
    if (everywhere) throw sessionEndedError(pair);
  }

  const extend = (routes: Routes) => mapOperations(callsBy(routes), authorized);
  const api = extend(userRoutes) as UserClient;

  return {
    ready,
    get session() {
      return session.snapshot();
    },
    onChange: session.listen,
    api,
    extend,
    async selectWorkspace(workspace_id) {
      await api.sessions.selectWorkspace({ workspace_id });
      // A refresh under way, here or in another tab, may have begun before, and name the workspace before.
      const refreshes = [...pendingRefreshes.values()];
      await session.alone(() => Promise.allSettled(refreshes));
      // The refresh hands the tokens to the other tabs, in turn with what these do. An answer that was lost, and is
      // given again, names the workspace before.
      let pair = session.read();
      for (let tries = 3; pair && tries > 0; tries -= 1) {
        pair = await refresh(pair);
        if (pair && names(pair.access_token, workspace_id)) break;
      }
    },
    getAccessToken,
    ...signInMethods(client, { start, device, captcha }),
    signOut,
    close: session.close,
  };
}

/** A stored answer, which leads on to the next, counts as no try: the service stores none for more than a day. */
const isStored = (pair: Pair | string | undefined, requestedAt: number): boolean =>
  typeof pair === 'object' && pair.at < requestedAt;

const sessionEndedError = (code: string): ApiError =>
  new ApiError(401, new Headers(), { code, detail: 'Signed out', request_id: '' });
