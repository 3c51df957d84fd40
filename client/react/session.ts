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
 * What `createAuth` or `createCookieAuth` gave, to sign in and out and to call the service. A call that takes a recent
 * sign-in asks in a dialog who it is, and goes on.
 * @throws Error outside of an `AuthProvider`.
 */
export const useAuth = (): PageAuth => useProvided().auth;

/**
 * Who is signed in: `loading` on a server and until the session is restored. Where a cookie has the session, until your
 * backend and the service have answered: they are asked again and again.
 */
export function useSession(): Session {
  const { store } = useProvided();
  return useSyncExternalStore(store.subscribe, store.session, () => loading);
}

/** The user who is signed in; undefined: nobody, or it is not known yet. */
export const useUser = (): Session['user'] => useSession().user;
