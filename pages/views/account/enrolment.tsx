import { useState } from 'preact/hooks';
import type { NewFactor, TotpEnrolment, User } from '../../../client/generated/api.ts';
import { sendAsUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Form, PasswordField } from '../../ui/form.tsx';
import { NewApp } from '../../ui/new-app.tsx';
import { asksPassword, withPassword } from './current-password.ts';

type EnrolmentProps = { user: User; onConfirmed: (recovery_codes: string[]) => Promise<unknown> };

/** Adds an authenticator app: who it is, the secret, and a first code of it. */
export function Enrolment({ user, onConfirmed }: EnrolmentProps) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const start = async ({ current_password }: Record<string, string>) => {
    const totp = () => sendAsUser('POST /users/me/factors/totp', { current_password });
    setEnrolment((await withPassword(totp)) as TotpEnrolment);
  };
  const confirm = async (guess: object) => {
    const newFactor = await sendAsUser('POST /users/me/factors/totp/confirm', { ...guess });
    await onConfirmed((newFactor as NewFactor).recovery_codes);
  };
  if (enrolment)
    return (
      <NewApp enrolment={enrolment} onCode={confirm} onCancel={() => setEnrolment(undefined)} />
    );
  return (
    <>
      <p>{t('factorNone')}</p>
      <Form key="start" submit={t('addFactor')} onSubmit={start}>
        {asksPassword(user) && <PasswordField name="current_password" />}
      </Form>
    </>
  );
}
