import { createElement, type ReactNode, useState } from 'react';
import type { ApiError } from '../api-error.ts';
import type { Entered } from '../auth.ts';
import { later } from './later.ts';
import type { Part } from './style.ts';

const SecondStep = later(async () => (await import('./second-step.ts')).SecondStep);
const Enrolment = later(async () => (await import('./enrolment.ts')).Enrolment);
const PasskeyButton = later(async () => (await import('./passkey.ts')).PasskeyButton, true);

type StepsProps = {
  part: Part;
  /** Whether people can sign in with a passkey. */
  passkey: boolean;
  onSignedIn: ((result: Entered) => void) | undefined;
  /** The first step is shown again. */
  onOther: () => void;
};

/** Ends a sign-in, of whichever kind, and asks for what it needs beside the first step. */
export function useSteps({ part, passkey, onSignedIn, onOther }: StepsProps) {
  const [challenge, setChallenge] = useState<{ token: string; isNew: boolean }>();

  /** Completes a sign-in, or asks for the second factor if the user has one or must add one. */
  async function finish(signingIn: Promise<Entered>): Promise<void> {
    const result = await signingIn.catch((error: ApiError) => {
      if (error.code !== 'mfa_required') throw error;
      const { mfa_token, methods } = error.problem;
      setChallenge({ token: String(mfa_token), isNew: String(methods) === 'enrol' });
    });
    if (result) onSignedIn?.(result);
  }
  /** A button for a passkey, which needs no second step. */
  const byPasskey = (autofill: boolean): ReactNode =>
    passkey && createElement(PasskeyButton, { key: 'passkey', part, autofill, finish });
  const step =
    challenge &&
    createElement(
      challenge.isNew ? Enrolment : SecondStep,
      {
        part,
        mfaToken: challenge.token,
        finish,
        onOther: () => {
          setChallenge(undefined);
          onOther();
        },
      },
      byPasskey(false),
    );
  return { finish, byPasskey, step };
}
