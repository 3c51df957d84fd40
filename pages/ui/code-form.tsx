import { useState } from 'preact/hooks';
import type { Session } from '../../client/generated/api.ts';
import { solving } from '../captcha.ts';
import { device } from '../device.ts';
import { FieldError, isCode } from '../failures.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { t } from '../texts.ts';
import { EmailField, Field, Form } from './form.tsx';
import type { SignInGuard } from './second-step.tsx';
import { acceptedTerms, agreedTerms, StatedTerms, Terms } from './terms.tsx';

export type CodeFormProps = {
  email: string;
  submit: string;
  /** Whether there is a box to agree to the terms; else they are stated. */
  asksTerms?: boolean;
  guard: SignInGuard;
  onEnter: (session: Session) => Promise<unknown>;
};

/** Asks for an e-mail, mails a code to it, and starts a session with the code. */
export function CodeForm({ email, submit, asksTerms = false, guard, onEnter }: CodeFormProps) {
  const { project_id } = project;
  const [sent, setSent] = useState<{ challenge_id: string; email: string }>();

  const start = async (values: Record<string, string>) => {
    const { email: to = '' } = values;
    const { body } = await solving('code', api.codes.start)({ project_id, email: to });
    setSent({ challenge_id: body.challenge_id, email: to });
  };
  const verify = async (values: Record<string, string>) => {
    const code = codeOf(values);
    const terms = asksTerms ? agreedTerms(values) : acceptedTerms();
    const { challenge_id = '' } = sent ?? {};
    try {
      const { body } = await api.codes.verify({
        ...{ project_id, challenge_id, code },
        ...terms,
        ...device.known(),
      });
      await onEnter(body);
    } catch (error) {
      if (isCode(error, 'invalid_credentials')) throw new FieldError('code', t('codeWrong'));
      throw error;
    }
  };

  if (!sent)
    return (
      <Form submit={t('sendCode')} onSubmit={start}>
        <EmailField defaultValue={email} />
      </Form>
    );
  return (
    <>
      <p role="status">{t('codeSent', { email: sent.email })}</p>
      <Form key="code" submit={submit} onSubmit={(values) => guard(() => verify(values))}>
        <CodeField label={t('code')} />
        {asksTerms ? <Terms /> : <StatedTerms />}
      </Form>
      <ul class="ways">
        <li>
          <button type="button" class="plain" onClick={() => setSent(undefined)}>
            {t('otherCode')}
          </button>
        </li>
      </ul>
    </>
  );
}

/** The field for a code of six digits. */
export const CodeField = ({ label }: { label: string }) => (
  <Field
    label={label}
    name="code"
    inputMode="numeric"
    autocomplete="one-time-code"
    dir="ltr"
    maxLength={12}
  />
);

/** The code of a form with a `CodeField`. */
export function codeOf(values: Record<string, string>): string {
  const code = (values['code'] ?? '').replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(code)) throw new FieldError('code', t('codeIncomplete'));
  return code;
}
