import { useState } from 'preact/hooks';
import { ApiError } from '../../client/client.ts';
import type { EnrolledSession, Session, TotpEnrolment } from '../../client/generated/api.ts';
import { device } from '../device.ts';
import { project } from '../project.ts';
import { sendPublicly } from '../session.ts';
import { t } from '../texts.ts';
import { Form } from './form.tsx';
import { NewApp } from './new-app.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SignInAgain } from './sign-in-again.tsx';

type MfaEnrolmentProps = {
  /** The answer to the first factor. */
  challenge: ApiError;
  onEnter: (session: Session) => Promise<unknown>;
};

/** Adds the authenticator app that the project requires, in the middle of a sign-in, and starts the session. */
export function MfaEnrolment({ challenge, onEnter }: MfaEnrolmentProps) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const [session, setSession] = useState<EnrolledSession>();
  /** Whether the session has ended while its codes were read: another try would fail for good. */
  const [isOver, setOver] = useState(false);
  const pendingSignIn = {
    project_id: project.project_id,
    mfa_token: String(challenge.problem['mfa_token']),
  };
  const start = async () => {
    setEnrolment((await sendPublicly('POST /sessions/mfa/totp', pendingSignIn)) as TotpEnrolment);
  };
  const confirm = async (guess: object) => {
    const newSession = await sendPublicly('POST /sessions/mfa/totp/confirm', {
      ...pendingSignIn,
      ...guess,
      ...device.known(),
    });
    setSession(newSession as EnrolledSession);
  };
  const keep = async (newSession: EnrolledSession) => {
    try {
      await onEnter(newSession);
    } catch (error) {
      setOver(error instanceof ApiError && error.status === 401);
      throw error;
    }
  };
  if (session)
    return (
      <>
        <RecoveryCodes codes={session.recovery_codes} onKept={() => keep(session)} />
        {isOver && <SignInAgain />}
      </>
    );
  if (enrolment)
    return (
      <>
        <NewApp enrolment={enrolment} onCode={confirm} onCancel={() => setEnrolment(undefined)} />
        <SignInAgain />
      </>
    );
  return (
    <>
      <p role="status">{t('factorRequired')}</p>
      <Form key="start" submit={t('addFactor')} onSubmit={start}>
        {null}
      </Form>
      <SignInAgain />
    </>
  );
}
