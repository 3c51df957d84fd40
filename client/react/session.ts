import { createContext, useContext, useSyncExternalStore } from 'react';
import type { PageAuth } from '../auth.ts';
import type { ProofPrompt } from './proof-prompt.ts';
import { loading, type Session, type Store } from './store.ts';
import type { Texts } from './texts.ts';

type Provided = { auth: PageAuth; store: Store; texts: Texts; prompt: ProofPrompt };

export const Context = createContext<Provided | null>(null);

/** @throws Error outside of an `AuthProvider`. */
export function useProvided(): Provided {
  const provided = useContext(Context);
  if (!provided) throw new Error('There is no <AuthProvider> around this component');
  return provided;
}

/**
 * The session of `createAuth` or `createCookieAuth`, to sign in and out and to call the service. A call that requires a
 * recent sign-in asks the user in a dialog to authenticate again, and goes on.
 * @throws Error outside of an `AuthProvider`.
 */
export const useAuth = (): PageAuth => useProvided().auth;

/**
 * The signed-in user: `loading` on a server and until the session is restored. If a cookie has the session, `loading`
 * until your backend and the service have answered; the requests are repeated until then.
 */
export function useSession(): Session {
  const { store } = useProvided();
  return useSyncExternalStore(store.subscribe, store.session, () => loading);
}

/** The signed-in user; undefined: nobody, or not known yet. */
export const useUser = (): Session['user'] => useSession().user;
