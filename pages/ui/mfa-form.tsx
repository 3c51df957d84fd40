import type { ApiError } from '../../client/client.ts';
import type { Session } from '../../client/generated/api.ts';
import { FieldError, isCode } from '../failures.ts';
import { finishSignIn } from '../session.ts';
import { t } from '../texts.ts';
import { Field, Form } from './form.tsx';

type MfaFormProps = {
  /** The answer to the first factor. */
  asked: ApiError;
  onEnter: (session: Session) => Promise<unknown>;
};

/** Asks for a code of the authenticator app, or for a recovery code: whichever has six digits is one of the app. */
export function MfaForm({ asked, onEnter }: MfaFormProps) {
  const finish = async (values: Record<string, string>) => {
    const typed = (values['code'] ?? '').replaceAll(/\s/g, '');
    const isRecovery = /[^\d]/.test(typed) || typed.length > 6;
    if (!/^(?:\d{6}|[a-z\d]{5}-?[a-z\d]{5})$/i.test(typed))
      throw new FieldError('code', t('mfaAsked'));
    try {
      const proof = isRecovery ? { recovery_code: typed } : { code: typed };
      await onEnter(await finishSignIn({ mfa_token: asked.problem['mfa_token'], ...proof }));
    } catch (error) {
      if (isCode(error, 'invalid_credentials')) throw new FieldError('code', t('codeWrong'));
      throw error;
    }
  };
  return (
    <>
      <p role="status">{t('mfaAsked')}</p>
      <Form key="mfa" submit={t('signIn')} onSubmit={finish}>
        <Field
          label={t('code')}
          name="code"
          autocomplete="one-time-code"
          dir="ltr"
          maxLength={12}
        />
      </Form>
    </>
  );
}
