import { createElement, type ReactNode, useMemo } from 'react';
import type { PageAuth } from '../auth.ts';
import { createProofPrompt } from './proof-prompt.ts';
import { Reauthentication, withReauthentication } from './reauthentication.ts';
import { Context } from './session.ts';
import { storeOf } from './store.ts';
import { english, type Texts } from './texts.ts';

export type AuthProviderProps = {
  auth: PageAuth;
  /** The words of a language; English by default. */
  texts?: Texts | undefined;
  /** A class of the dialog that asks people to prove who they are; it takes the place of the default style. */
  dialogClassName?: string | undefined;
  children?: ReactNode;
};

/**
 * Gives the session, and the words of a language, to everything below it. A call of `useAuth()` that the service
 * refuses because the sign-in is too long ago asks in a dialog who it is, and goes on.
 */
export function AuthProvider(props: AuthProviderProps): ReactNode {
  const { auth, texts = english, dialogClassName: className, children } = props;
  const session = useMemo(() => {
    const prompt = createProofPrompt();
    return { prompt, store: storeOf(auth), auth: withReauthentication(auth, prompt.ask) };
  }, [auth]);
  const value = useMemo(() => ({ ...session, texts }), [session, texts]);
  return createElement(
    Context.Provider,
    { value },
    children,
    createElement(Reauthentication, { className }),
  );
}
