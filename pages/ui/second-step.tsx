import { useLayoutEffect, useState } from 'preact/hooks';
import type { ApiError } from '../../client/client.ts';
import type { Session } from '../../client/generated/api.ts';
import { isCode } from '../failures.ts';
import { noteSecondStep } from '../session.ts';
import { loadFactorTexts } from '../texts.ts';
import { Later } from './later.tsx';

const loadForm = async () => {
  const [part] = await Promise.all([import('./mfa-form.tsx'), loadFactorTexts()]);
  return part.MfaForm;
};
const loadEnrolment = async () => {
  const [part] = await Promise.all([import('./mfa-enrolment.tsx'), loadFactorTexts()]);
  return part.MfaEnrolment;
};
/** Whether the user has nothing to show yet, and must add an app. */
const mustEnrol = ({ problem }: ApiError) => String(problem['methods']) === 'enrol';

/** Does what signs somebody in. */
export type SignInGuard = (work: () => Promise<unknown>) => Promise<unknown>;

/**
 * The second step of a sign-in, for each page that has a first one: `guard` does the first, and `step` takes the place of
 * the page where a second factor is asked for, or must be added. Its forms are files of their own, for those who need them.
 */
export function useSecondStep(onEnter: (session: Session) => Promise<unknown>) {
  const [challenge, setChallenge] = useState<ApiError>();
  useLayoutEffect(() => {
    noteSecondStep(challenge !== undefined);
    return () => noteSecondStep(false);
  }, [challenge]);
  const guard: SignInGuard = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'mfa_required')) throw error;
      return setChallenge(error);
    }
  };
  const load = challenge && mustEnrol(challenge) ? loadEnrolment : loadForm;
  return { guard, step: challenge && <Later load={load} of={{ challenge, onEnter }} /> };
}
