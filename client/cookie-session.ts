import { ApiError, isEnd } from './api-error.ts';
import { asUser, overtakenError } from './as-user.ts';
import type { PageSession } from './auth/page-session.ts';
import type { Verb } from './call.ts';
import { names } from './claims.ts';
import { callsOf, type Routes, type UserClient } from './client.ts';
import type { CookieAuthOptions } from './cookies/auth-options.ts';
import { type KeepCodes, type Started, signInMethods, type Token } from './cookies/methods.ts';
import { createPost, type Request } from './cookies/post.ts';
import { joinTabs } from './cookies/tabs.ts';
import { userRoutes } from './generated/user-routes.ts';
import { keepListeners, type SignedIn } from './listeners.ts';
import { mapOperations } from './map-operations.ts';
import { createSpare, reserve } from './reserve.ts';
import { isPage } from './storage.ts';

export type { Call, CallOptions, Result } from './call.ts';
export type { Routes, UserClient } from './client.ts';
export type { CookieAuthOptions } from './cookies/auth-options.ts';
export type { KeepCodes, Started } from './cookies/methods.ts';
export type * from './generated/api.ts';
export type { Listener, SignedIn } from './listeners.ts';
export type { TokenOptions } from './reserve.ts';

export interface CookieAuth extends PageSession, ReturnType<typeof signInMethods> {
  /** Resolves when the backend has returned the session, or could not be reached. */
  ready: Promise<void>;
  /** Chooses the workspace that access tokens name from now on; null: none. Another page has it with its next token. */
  selectWorkspace(workspace_id: string | null): Promise<void>;
  /**
   * Ends the cookie and the session at the service; `everywhere`: and all others of the user. Then listeners and tabs
   * hear of it. If it throws and `session` is null, only the service could not be reached; else call it again.
   */
  signOut: (options?: { everywhere?: boolean }) => Promise<void>;
}

const now = () => ({ at: Date.now(), clock: performance.now() });

const withoutUrl = (): Verb => async () => {
  throw new TypeError('createCookieAuth has no url, which api needs.');
};

/**
 * The session of a page whose backend keeps it in a cookie by `createCookieHandler`: the methods of `createAuth`, and no
 * refresh token. Its methods throw `ApiError` for an answer that is no success, and what `fetch` throws without one.
 */
export function createCookieAuth(options: CookieAuthOptions = {}): CookieAuth {
  const { url, tabs = isPage(), captcha } = options;
  const path = (options.path ?? '/auth').replace(/\/+$/, '');
  const closing = new AbortController();
  const post = createPost(path, options.fetch, closing.signal);
  const listeners = keepListeners();
  let session: SignedIn | null = null;
  let token: (Token & ReturnType<typeof now>) | undefined;
  let pendingToken: Promise<Token | undefined> | undefined;
  /** Whether the backend said that nobody is signed in. A server that renders the page has no cookie to ask with. */
  let nobody = !isPage();
  /** Counts what ends the session of the moment: an answer to what was asked before is too late. */
  let epoch = 0;
  /** Counts the sign-outs: of this page, and those of others that it heard of. */
  let signOuts = 0;
  let heardSignOuts = 0;

  const pages = joinTabs(path, tabs, (reason) => {
    const isOut = reason === 'signed_out';
    if (reason && !isOut && !session) return;
    forget(isOut);
    if (isOut) {
      heardSignOuts += 1;
      return change(null, reason);
    }
    // Another page has signed in, perhaps as the same user, who has changed, or found the session ended. The cookie is
    // shared, and says what holds now.
    ask(undefined, reason).catch(() => {});
  });

  function forget(isSignOut: boolean): void {
    epoch += 1;
    token = undefined;
    pendingToken = undefined;
    nobody = isSignOut;
  }

  function change(next: SignedIn | null, reason?: string): void {
    if (!next && !session) return;
    session = next;
    listeners.tell(next, reason);
  }

  /** Keeps a token; its time counts from when it was asked for: a sleep stops one clock, a person sets the other. */
  function take(next: Token, asked: ReturnType<typeof now>, begins = false): void {
    token = { ...next, ...asked };
    nobody = false;
    const { uid, user } = next;
    if (user && (begins || JSON.stringify(user) !== JSON.stringify(session?.user)))
      change({ uid, user });
  }
  const left = (): number =>
    token
      ? token.expires_in * 1_000 - Math.max(Date.now() - token.at, performance.now() - token.clock)
      : 0;

  /** Asks the backend for a token, once at a time. `reason`: why the session has ended, as another page says. */
  async function ask(refusedToken?: string, reason?: string): Promise<Token | undefined> {
    const requestEpoch = epoch;
    pendingToken ??= pages
      .alone(async () => {
        // While this waited for its turn, somebody has signed in.
        if (left() >= reserve && token?.access_token !== refusedToken) return token;
        const asked = now();
        // Another page may have renewed the token of the cookie, and so know what has changed of the user.
        const user = session ? 'if possible' : true;
        try {
          let next = await post<Token>('/token', { refused: refusedToken, user });
          // Another page has signed in as somebody else.
          if (!next.user && next.uid !== session?.uid) next = await post('/token', { user: true });
          if (requestEpoch !== epoch) return undefined;
          take(next, asked);
          return next;
        } catch (error) {
          if (!isEnd(error)) throw error;
          if (requestEpoch === epoch) {
            token = undefined;
            nobody = true;
            if (session && !reason) pages.tell(error.code);
            change(null, reason ?? error.code);
          }
          return undefined;
        }
      })
      .finally(() => {
        if (requestEpoch === epoch) pendingToken = undefined;
      });
    const answer = await pendingToken;
    // Another page has signed in meanwhile, and this one follows it.
    return answer ?? (requestEpoch === epoch || nobody ? undefined : ask());
  }

  // Without an answer nobody knows; the next call asks again.
  const ready = Promise.allSettled([nobody ? undefined : ask()]).then(() => {});

  const spare = createSpare();
  /** The token that is good for a while, and is not `refused`. */
  async function fresh(refused?: string): Promise<Token | undefined> {
    await ready;
    if (nobody) return undefined;
    const usable = () => (token?.access_token === refused ? 0 : left());
    if (usable() >= reserve) return token;
    const next = await spare(usable, async () => {
      const answer = await ask(refused);
      // Another call had asked before, for which it was good.
      return answer?.access_token === refused ? ask(refused) : answer;
    });
    return next === null ? token : next;
  }

  const { getAccessToken, authorized } = asUser<Token>({
    ready,
    shown: () => session?.uid,
    fresh,
    renew: ({ access_token }) => ask(access_token),
  });

  /**
   * Sends a sign-in, whose cookie is then set, signs this page in, and says so to the others; where there are recovery
   * codes, once `keep` has shown them.
   */
  async function start(request: Request, keep?: KeepCodes): Promise<Started> {
    const before = signOuts;
    const finish = await pages.alone(async (locked) => {
      const heard = heardSignOuts;
      const asked = now();
      const body = await post<Token & Started & { recovery_codes: string[] }>(...request);
      // Without turns, another page's sign-out may be answered after this sign-in, or have been before it.
      const isCrossed = !locked && heard !== heardSignOuts;
      if (isCrossed) await post('/sign-out', {});
      const answerEpoch = epoch;
      const enter = (): Started => {
        // This page's sign-out has its turn after this, and ends this session too. One of another page that had its turn
        // before ends another session.
        if (isCrossed || before !== signOuts || answerEpoch !== epoch) throw overtakenError();
        const { uid, user, user_created } = body;
        take(body, asked, true);
        pages.tell();
        return { uid, user, user_created };
      };
      const started = keep ? undefined : enter();
      // Other pages do not wait for a person: one of them may sign in or out meanwhile.
      return async () => {
        await keep?.(body.recovery_codes);
        return started ?? enter();
      };
    });
    return finish();
  }

  async function signOut({ everywhere = false } = {}): Promise<void> {
    forget(true);
    signOuts += 1;
    await pages.alone(async () => {
      const end = () => {
        change(null, 'signed_out');
        pages.tell('signed_out');
      };
      await post('/sign-out', { everywhere }).catch((error: unknown) => {
        nobody = error instanceof ApiError && error.problem['signed_out'] === true;
        if (nobody) end();
        throw error;
      });
      end();
    });
  }

  const extend = (routes: Routes) =>
    mapOperations(
      callsOf(routes, url ?? '', { fetch: options.fetch }),
      url === undefined ? withoutUrl : authorized,
    );
  const api = extend(userRoutes) as UserClient;

  return {
    ready,
    get session() {
      return session;
    },
    onChange: listeners.add,
    api,
    extend,
    async selectWorkspace(workspace_id) {
      await api.sessions.selectWorkspace({ workspace_id });
      // It may have begun before, and name the workspace before.
      await pendingToken?.catch(() => {});
      // The cookie may have a token that another page has renewed before, and a lost answer that is given again is older.
      for (let tries = 3; tries > 0; tries -= 1) {
        const next = await ask(token?.access_token);
        if (!next || names(next.access_token, workspace_id)) break;
      }
    },
    getAccessToken,
    ...signInMethods({ post, start, captcha }),
    signOut,
    closed: closing.signal,
    close() {
      closing.abort();
      listeners.clear();
      pages.close();
    },
  };
}
