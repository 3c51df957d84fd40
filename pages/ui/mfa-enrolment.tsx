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
  asked: ApiError;
  onEnter: (session: Session) => Promise<unknown>;
};

/** Adds the authenticator app that the project requires, in the middle of a sign-in, and starts the session. */
export function MfaEnrolment({ asked, onEnter }: MfaEnrolmentProps) {
  const [started, setStarted] = useState<TotpEnrolment>();
  const [session, setSession] = useState<EnrolledSession>();
  /** Whether the session has ended while its codes were read: another try would fail for good. */
  const [isOver, setOver] = useState(false);
  const waiting = { project_id: project.project_id, mfa_token: String(asked.problem['mfa_token']) };
  const start = async () => {
    setStarted((await sendPublicly('POST /sessions/mfa/totp', waiting)) as TotpEnrolment);
  };
  const confirm = async (guess: object) => {
    const made = await sendPublicly('POST /sessions/mfa/totp/confirm', {
      ...waiting,
      ...guess,
      ...device.known(),
    });
    setSession(made as EnrolledSession);
  };
  const keep = async (made: EnrolledSession) => {
    try {
      await onEnter(made);
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
  if (started)
    return (
      <>
        <NewApp enrolment={started} onCode={confirm} onCancel={() => setStarted(undefined)} />
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
