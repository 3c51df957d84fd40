import { createElement, Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Entered } from '../auth.ts';
import { getPasskey, signInWithPasskey, supportsAutofill, supportsPasskeys } from '../passkeys.ts';
import { alert, button, FieldError, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { useProvided } from './session.ts';

type PasskeyButtonProps = PartProps & {
  /** Whether a field of the page offers passkeys too, in its autofill. */
  autofill: boolean;
  finish: (signingIn: Promise<Entered>) => Promise<void>;
};

/** Signs in with a passkey: by a button, or picked in the autofill of the field for the e-mail. */
export function PasskeyButton({ part, words, autofill, finish }: PasskeyButtonProps): ReactNode {
  const { auth } = useProvided();
  const { run, busy, words: failure, wrong } = useAction(words.errors);
  /** A browser asks for one passkey at a time: what waits for the autofill ends while the button asks. */
  const autofillRequest = useRef<AbortController>(undefined);
  const [asks, setAsks] = useState(false);
  const finishing = useRef(finish);
  finishing.current = finish;

  useEffect(() => {
    if (!autofill || asks) return undefined;
    const { signal } = (autofillRequest.current = new AbortController());
    void wait(signal);
    return () => autofillRequest.current?.abort();
  }, [auth, autofill, asks]);

  async function wait(signal: AbortSignal): Promise<void> {
    if (!(await supportsAutofill())) return;
    try {
      while (!signal.aborted) {
        const { publicKey } = await auth.signIn.startPasskey();
        const until = Date.now() + publicKey.timeout;
        const credential = await getPasskey(publicKey, { autofill: true, signal });
        const enter = () => finishing.current(auth.signIn.passkey({ credential }));
        await run(
          () => enter().then(() => autofillRequest.current?.abort()),
          // Somebody may open the page and pick one after the challenge has expired: then it may be known.
          refusalFields(Date.now() < until ? words.passkeyWrong : words.passkeyNone),
        );
      }
    } catch {
      // Nobody has asked for it yet: without options, or a passkey, the page has its other ways.
    }
  }
  const ask = async () => {
    // To wait for the autofill again would end what the first press asks for.
    if (busy) return;
    autofillRequest.current?.abort();
    setAsks(true);
    await run(
      () => finish(picked(signInWithPasskey(auth), words.passkeyNone)),
      refusalFields(words.passkeyWrong),
    );
    setAsks(false);
  };

  if (!supportsPasskeys()) return null;
  return createElement(
    Fragment,
    null,
    alert(part, failure ?? wrong('passkey')),
    button(part, words.usePasskey, { busy, onClick: ask }),
  );
}

const refusalFields = (words: string) => ({ invalid_credentials: ['passkey', words] as const });

/** What the browser was asked for. That somebody has picked none is said in words. */
export async function picked<T>(
  request: Promise<T>,
  noneText: string,
  knownText = noneText,
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError') throw new FieldError('passkey', noneText);
    if (name === 'InvalidStateError') throw new FieldError('passkey', knownText);
    throw error;
  }
}
