import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { PageAuth } from './auth.ts';
import { loading, type Session, type Store, storeOf } from './react-store.ts';
import { english, type Texts } from './react-texts.ts';

type Provided = { auth: PageAuth; store: Store; texts: Texts };

const Context = createContext<Provided | null>(null);

/** Gives the session, and the words of a language, to everything below it; English unless `texts` says otherwise. */
export function AuthProvider(props: {
  auth: PageAuth;
  texts?: Texts | undefined;
  children?: ReactNode;
}) {
  const { auth, texts = english, children } = props;
  const value = useMemo(() => ({ auth, store: storeOf(auth), texts }), [auth, texts]);
  return createElement(Context.Provider, { value }, children);
}

/** @throws Error outside of an `AuthProvider`. */
export function useProvided(): Provided {
  const provided = useContext(Context);
  if (!provided) throw new Error('There is no <AuthProvider> around this component');
  return provided;
}

/**
 * What `createAuth` or `createCookieAuth` gave, to sign in and out and to call the service.
 * @throws Error outside of an `AuthProvider`.
 */
export const useAuth = (): PageAuth => useProvided().auth;

/** Who is signed in: `loading` on a server and until the session is restored. */
export function useSession(): Session {
  const { store } = useProvided();
  return useSyncExternalStore(store.subscribe, store.session, () => loading);
}

/** The user who is signed in; undefined: nobody, or it is not known yet. */
export const useUser = (): Session['user'] => useSession().user;
