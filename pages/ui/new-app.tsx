import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TotpEnrolment } from '../../client/generated/api.ts';
import { FieldError, isCode } from '../failures.ts';
import { t } from '../texts.ts';
import { Copy } from './action.tsx';
import { FactorCode, withGuess } from './factor-code.tsx';
import { Form } from './form.tsx';
import { QrCode } from './qr-code.tsx';

type NewAppProps = {
  enrolment: TotpEnrolment;
  /** Sends the first code. */
  onCode: (guess: object) => Promise<unknown>;
  onCancel: () => void;
};

/** An authenticator app that is being added: its secret, and a first code of it. */
export function NewApp({ enrolment, onCode, onCancel }: NewAppProps) {
  const confirm = async (values: Record<string, string>) => {
    try {
      await withGuess(values, onCode, true);
    } catch (error) {
      // It was not confirmed in time, or another one has taken its place.
      throw isCode(error, 'not_found') ? new FieldError('', t('factorExpired')) : error;
    }
  };
  return (
    <>
      <Secret enrolment={enrolment} />
      <Form key="confirm" submit={t('factorConfirm')} onSubmit={confirm}>
        <FactorCode label={t('factorCode')} />
      </Form>
      <button type="button" class="secondary" onClick={onCancel}>
        {t('cancel')}
      </button>
    </>
  );
}

/** The secret of an app: to scan, to open on this device, and to type. */
function Secret({ enrolment: { secret, uri } }: { enrolment: TotpEnrolment }) {
  const words = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => words.current?.focus(), []);
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
