import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { overtakenError } from '../as-user.ts';
import type { Entered } from '../auth.ts';
import type { Providers } from '../providers.ts';
import { alert, button, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { providerFailure } from './provider-failure.ts';
import { useProvided } from './session.ts';
import { useSteps } from './steps.ts';

type ProviderReturnProps = PartProps & {
  passkey: boolean;
  providers: Providers;
  onSignedIn: ((result: Entered) => void) | undefined;
  /** It has ended. `why`: what has failed. */
  onEnd: (why?: unknown) => void;
};

/** Ends a sign-in at a provider, on the page to which that has led back. */
export function ProviderReturn(props: ProviderReturnProps): ReactNode {
  const { part, words, passkey, providers, onSignedIn, onEnd } = props;
  const { texts } = useProvided();
  const hasBegun = useRef(false);
  const finishSignIn = (result: Entered) => {
    onEnd();
    try {
      onSignedIn?.(result);
    } catch (error) {
      // It is the application's, and no refusal.
      console.error(error);
    }
  };
  const { finish, step } = useSteps({
    part,
    passkey,
    onSignedIn: finishSignIn,
    onOther: () => onEnd(),
  });
  const { run, busy, words: failureText } = useAction();
  /** Whether the answer waits for another try. */
  const [isWaiting, setWaiting] = useState(false);
  const end = () =>
    run(async () => {
      try {
        await finish(
          providers.finish().then((finished) => {
            // The page itself has asked, and has the answer.
            if (finished?.from !== 'signIn') throw overtakenError();
            return finished;
          }),
        );
      } catch (error) {
        // The failure passes, and has not used the answer up.
        if (providers.returnedFrom() === 'signIn') {
          setWaiting(true);
          throw error;
        }
        onEnd(
          (error as Error).name === 'AbortError' ? undefined : providerFailure(error, words, texts),
        );
      }
    });
  const giveUp = () => {
    providers.forget();
    onEnd();
  };
  useEffect(() => {
    // StrictMode does it twice.
    if (!hasBegun.current) void end();
    hasBegun.current = true;
  }, []);
  if (step) return step;
  if (!isWaiting) return createElement('p', { ...part('note'), role: 'status' }, texts.loading);
  return createElement(
    'div',
    part('root'),
    alert(part, failureText),
    button(part, texts.again, { busy, onClick: end }),
    button(part, words.linkAnew, { look: 'link', busy, onClick: () => busy || giveUp() }),
  );
}
