import { createElement, type ReactNode } from 'react';
import type { Entered } from '../auth.ts';
import { signInByEnrolment, startEnrolment } from '../factors.ts';
import { AddApp } from './add-app.ts';
import type { PartProps } from './later.ts';
import { useProvided } from './session.ts';

type EnrolmentProps = PartProps & {
  /** The `mfa_token` of the first step. */
  mfaToken: string;
  finish: (signingIn: Promise<Entered>) => Promise<void>;
  /** Leads back to the first step. */
  onOther: () => void;
};

/** The second step of a sign-in that requires an app of somebody who has none. */
export function Enrolment({ mfaToken: mfa_token, finish, ...rest }: EnrolmentProps): ReactNode {
  const { auth } = useProvided();
  return createElement(AddApp, {
    ...rest,
    why: rest.words.appRequired,
    start: () => startEnrolment(auth, { mfa_token }),
    confirm: (code, keep) => finish(signInByEnrolment(auth, { mfa_token, code }, keep)),
  });
}
