import type { ApiError } from '../api-error.ts';
import type { PageAuth } from '../auth.ts';
import type { SignedIn } from '../listeners.ts';
import { isRefusal, type Lists, openLists } from './lists.ts';
import { untilOnline } from './page.ts';

/** The signed-in user. `reason`: why a session ended, such as `signed_out` or `refresh_token_reused`. */
export type Session =
  | { status: 'loading'; uid?: undefined; user?: undefined; reason?: undefined }
  | { status: 'signed_out'; uid?: undefined; user?: undefined; reason?: string | undefined }
  | ({ status: 'signed_in'; reason?: undefined } & SignedIn);

export type Store = ReturnType<typeof openStore>;

/** The one snapshot of a server, which knows nobody, and of the first render in the browser, which repeats it. */
export const loading: Session = { status: 'loading' };

const stores = new WeakMap<PageAuth, Store>();

/** The store of a session: one for all providers that show it. */
export function storeOf(auth: PageAuth): Store {
  const store = stores.get(auth) ?? openStore(auth);
  stores.set(auth, store);
  return store;
}

function openStore(auth: PageAuth) {
  const listeners = new Set<() => void>();
  let state = loading;
  let lists: Lists | undefined;
  let ready = false;
  let lastSession: SignedIn | null | undefined;
  let endReason: string | undefined;
  let stop = () => {};

  /** Looks at the session; it is what counts, also while nobody listens to it. */
  function read(): Session {
    const { session } = auth;
    if (session === lastSession || (!session && !ready && lastSession === undefined)) return state;
    lastSession = session;
    state = session
      ? { status: 'signed_in', ...session }
      : { status: 'signed_out', reason: endReason };
    if (lists?.uid !== session?.uid) {
      // Nothing that one user asked for is shown to the next.
      lists?.close();
      lists = session ? openLists(auth, session.uid) : undefined;
    }
    return state;
  }

  function tell(): void {
    read();
    for (const listener of [...listeners]) listener();
  }

  const settle = () => {
    ready = true;
    tell();
  };
  /** Where a backend has the session and could not be asked, nobody is not signed out. */
  async function ask(): Promise<void> {
    for (let wait = 1_000; !auth.closed?.aborted; wait = Math.min(wait * 2, 30_000)) {
      try {
        if (!auth.session) await auth.getAccessToken();
      } catch (error) {
        const { retryAfter = 0 } = error as Partial<ApiError>;
        if (!isRefusal(error as Partial<ApiError>)) {
          await untilOnline(Math.max(wait, retryAfter * 1_000), auth.closed);
          continue;
        }
      }
      return settle();
    }
  }
  // A storage that fails has no session.
  auth.ready.then(ask, settle);

  return {
    session: read,
    /** The lists of the signed-in user; new ones after every change of the user. */
    lists: (): Lists | undefined => {
      read();
      return lists;
    },
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        stop = auth.onChange((_, reason) => {
          endReason = reason;
          const shownLists = lists;
          read();
          // Another session of the same user has a workspace of its own; and what has changed of the user, such as the
          // first password or e-mail, may have ended sessions and removed passkeys.
          if (lists === shownLists) lists?.refreshAll();
          tell();
        });
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
}
