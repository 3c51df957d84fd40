import { createElement, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import type { PageAuth } from '../auth.ts';
import { mapOperations } from '../map-operations.ts';
import { button } from './form.ts';
import { later } from './later.ts';
import type { ProofPrompt } from './proof-prompt.ts';
import { useProvided, useSession } from './session.ts';
import { partOf } from './style.ts';

const AskAgain = later(async () => (await import('./ask-again.ts')).AskAgain);

type Verb = (...parameters: unknown[]) => Promise<unknown>;

/** The session with calls that ask the user to authenticate again if the service requires it, and then go on. */
export function withReauthentication(auth: PageAuth, ask: ProofPrompt['ask']): PageAuth {
  const withPrompt =
    (verb: Verb): Verb =>
    async (...parameters) => {
      const uid = auth.session?.uid;
      try {
        return await verb(...parameters);
      } catch (error) {
        const { code } = error as { code?: string };
        const isAsked = code === 'reauthentication_required' && uid;
        // A call that one user began must not go on as another user.
        if (!isAsked || !(await ask()) || auth.session?.uid !== uid) throw error;
        return verb(...parameters);
      }
    };
  const wrap = (calls: object) => mapOperations(calls, withPrompt);
  // With its getters: a copy of their values would be that of this moment.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(auth),
      api: { value: wrap(auth.api), enumerable: true },
      extend: {
        value: (routes: Parameters<PageAuth['extend']>[0]) => wrap(auth.extend(routes)),
        enumerable: true,
      },
    },
  ) as PageAuth;
}

/**
 * Asks the signed-in user in a dialog to authenticate again, for a call of your own backend; the calls of `useAuth()`
 * ask by themselves. Resolves with an access token that shows the recent sign-in, or undefined if the user cancels.
 */
export const useReauthentication = (): ProofPrompt['ask'] => useProvided().prompt.ask;

/** Shows the dialog while somebody is asked. */
export function Reauthentication({ className }: { className?: string | undefined }): ReactNode {
  const { prompt } = useProvided();
  const pendingPrompt = useSyncExternalStore(prompt.subscribe, prompt.current, () => undefined);
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      // Nobody could answer any more. StrictMode stops and starts again at once, which is no reason to end.
      queueMicrotask(() => !isThere.current && prompt.current()?.end());
    };
  }, [prompt]);
  return pendingPrompt ? createElement(Dialog, { className, onEnd: pendingPrompt.end }) : null;
}

type DialogElement = { open: boolean; showModal(): void; close(): void };

type DialogProps = { className: string | undefined; onEnd: (token?: string) => void };

function Dialog({ className, onEnd }: DialogProps): ReactNode {
  const { texts } = useProvided();
  const { uid } = useSession();
  const part = partOf({ className });
  const dialog = useRef<DialogElement>(null);
  const provenToken = useRef<string>(undefined);
  const initialUid = useRef(uid);
  useEffect(() => {
    // StrictMode does it twice, and some browsers refuse to open what is open.
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  // The browser gives the focus back to where it was.
  const close = () => dialog.current?.close();
  useEffect(() => {
    // The user whom the dialog asked has signed out, or another one is signed in now.
    if (uid !== initialUid.current) close();
  }, [uid]);
  return createElement(
    'dialog',
    {
      ...part('root', 'dialog'),
      ref: dialog as never,
      'aria-label': texts.isItYou,
      onClose: () => onEnd(provenToken.current),
    },
    createElement('h2', part('heading'), texts.isItYou),
    createElement(AskAgain, {
      part,
      onProven: (token: string) => {
        provenToken.current = token;
        close();
      },
    }),
    button(part, texts.cancel, { onClick: close }),
  );
}
