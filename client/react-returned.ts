import { createElement, type ReactNode, useEffect, useRef } from 'react';
import type { Entered } from './auth.ts';
import type { Providers } from './providers.ts';
import type { Given } from './react-later.ts';
import { providerFailure } from './react-provider-failure.ts';
import { useProvided } from './react-session.ts';
import { useSteps } from './react-steps.ts';

type ReturnedProps = Given & {
  passkey: boolean;
  providers: Providers;
  onSignedIn: ((result: Entered) => void) | undefined;
  /** It has ended. `why`: what has failed. */
  onEnd: (why?: unknown) => void;
};

/** Ends a sign-in at a provider, on the page to which that has led back. */
export function Returned(props: ReturnedProps): ReactNode {
  const { part, words, passkey, providers, onSignedIn, onEnd } = props;
  const { texts } = useProvided();
  const hasBegun = useRef(false);
  const entered = (result: Entered) => {
    onEnd();
    try {
      onSignedIn?.(result);
    } catch (error) {
      // It is the application's, and no refusal.
      console.error(error);
    }
  };
  const { finish, step } = useSteps({
    ...{ part, passkey, onSignedIn: entered },
    onOther: () => onEnd(),
  });
  async function end(): Promise<void> {
    try {
      await finish(
        providers.finish().then((finished) => {
          // The page itself has asked, and has the answer.
          if (finished?.from !== 'signIn') throw new DOMException('Ended elsewhere', 'AbortError');
          return finished;
        }),
      );
    } catch (error) {
      onEnd(
        (error as Error).name === 'AbortError' ? undefined : providerFailure(error, words, texts),
      );
    }
  }
  useEffect(() => {
    // StrictMode does it twice.
    if (!hasBegun.current) void end();
    hasBegun.current = true;
  }, []);
  return step ?? createElement('p', { ...part('note'), role: 'status' }, texts.loading);
}
