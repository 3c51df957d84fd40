import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewFactor, TotpEnrolment, User } from '../../../client/generated/api.ts';
import { FieldError, isCode } from '../../failures.ts';
import { sendAsUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Copy } from '../../ui/action.tsx';
import { FactorCode, withGuess } from '../../ui/factor-code.tsx';
import { Form, PasswordField } from '../../ui/form.tsx';
import { hasPassword, withPassword } from './current-password.ts';
import { QrCode } from './qr-code.tsx';

type EnrolmentProps = { user: User; onConfirmed: (recovery_codes: string[]) => Promise<unknown> };

/** Adds an authenticator app: who it is, the secret, and a first code of it. */
export function Enrolment({ user, onConfirmed }: EnrolmentProps) {
  const [started, setStarted] = useState<TotpEnrolment>();
  const start = async ({ current_password }: Record<string, string>) => {
    const totp = () => sendAsUser('POST /users/me/factors/totp', { current_password });
    setStarted((await withPassword(totp)) as TotpEnrolment);
  };
  const confirm = async (values: Record<string, string>) => {
    try {
      const made = await withGuess(values, (guess) =>
        sendAsUser('POST /users/me/factors/totp/confirm', guess),
      );
      await onConfirmed((made as NewFactor).recovery_codes);
    } catch (error) {
      // It was not confirmed in time, or another one has taken its place.
      throw isCode(error, 'not_found') ? new FieldError('', t('factorExpired')) : error;
    }
  };
  if (started)
    return (
      <>
        <Secret enrolment={started} />
        <Form key="confirm" submit={t('factorConfirm')} onSubmit={confirm}>
          <FactorCode label={t('factorCode')} />
        </Form>
        <button type="button" class="secondary" onClick={() => setStarted(undefined)}>
          {t('cancel')}
        </button>
      </>
    );
  return (
    <>
      <p>{t('factorNone')}</p>
      <Form key="start" submit={t('addFactor')} onSubmit={start}>
        {hasPassword(user) && <PasswordField name="current_password" />}
      </Form>
    </>
  );
}

/** The secret of an app: to scan, to open on this device, and to type. */
function Secret({ enrolment: { secret, uri } }: { enrolment: TotpEnrolment }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <>
      <p ref={words} tabIndex={-1}>
        {t('factorScan')}
      </p>
      <QrCode text={uri} label={t('factorQr')} />
      <p>
        <a href={uri}>{t('factorOpen')}</a>
      </p>
      <p>
        {t('factorSecret')}:{' '}
        <Copy text={secret} about={t('factorSecret')}>
          {secret.replace(/.{4}(?=.)/g, '$& ')}
        </Copy>
      </p>
    </>
  );
}
