import { useState } from 'preact/hooks';
import type { Session } from '../../client/generated/api.ts';
import { solving } from '../captcha.ts';
import { device } from '../device.ts';
import { FieldError, isCode } from '../failures.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { t } from '../texts.ts';
import { EmailField, Field, Form } from './form.tsx';
import { Way } from './list.tsx';
import type { SignInGuard } from './second-step.tsx';
import { acceptedTerms, agreedTerms, StatedTerms, Terms } from './terms.tsx';
import { useProof } from './use-proof.ts';

/** A code that was mailed, and to whom. */
type SentCode = { challenge_id: string; email: string };

/**
 * What the entry of the history keeps of a code until it is used or over, in milliseconds: a phone may load the page again
 * while somebody reads their mail.
 */
export type KeptCode = { code?: SentCode & { until: number } };

export type CodeFormProps = {
  submit: string;
  /** Whether there is a box to agree to the terms; else they are stated. */
  asksTerms?: boolean;
  guard: SignInGuard;
  onEnter: (session: Session) => Promise<unknown>;
};

/** Milliseconds for which a mailed code is good. */
const lifetime = 600_000;

function codeOnItsWay(): SentCode | undefined {
  const { code } = (history.state ?? {}) as KeptCode;
  return code && code.until > Date.now() ? code : undefined;
}

/** Keeps a code beside the token of a link, or none. */
function keepInHistory(code?: SentCode): void {
  const { code: _, ...others } = (history.state ?? {}) as KeptCode;
  const entryState = code && { code: { ...code, until: Date.now() + lifetime } };
  history.replaceState({ ...others, ...entryState }, '');
}

/** Asks for an e-mail, mails a code to it, and starts a session with the code. */
export function CodeForm({ submit, asksTerms = false, guard, onEnter }: CodeFormProps) {
  const { project_id } = project;
  const prove = useProof(onEnter);
  const [sentCode, setSentCode] = useState<SentCode | undefined>(codeOnItsWay);

  const start = async (values: Record<string, string>) => {
    const { email: to = '' } = values;
    const { body } = await solving('code', api.codes.start)({ project_id, email: to });
    keep({ challenge_id: body.challenge_id, email: to });
  };
  const keep = (code?: SentCode) => {
    keepInHistory(code);
    setSentCode(code);
  };
  const verify = async (values: Record<string, string>) => {
    const code = codeOf(values);
    const terms = asksTerms ? agreedTerms(values) : acceptedTerms();
    const { challenge_id = '' } = sentCode ?? {};
    const input = { project_id, challenge_id, code, ...terms };
    try {
      await prove(challenge_id, async () => {
        const { body } = await api.codes.verify({ ...input, ...device.known() });
        keepInHistory();
        return body;
      });
    } catch (error) {
      // It was right, and is used.
      if (isCode(error, 'mfa_required')) keepInHistory();
      if (isCode(error, 'invalid_credentials')) throw new FieldError('code', t('codeWrong'));
      throw error;
    }
  };

  if (!sentCode)
    return (
      <Form submit={t('sendCode')} onSubmit={start}>
        <EmailField />
      </Form>
    );
  return (
    <>
      <p id="about" role="status">
        {t('codeSent', { email: sentCode.email })}
      </p>
      <Form key="code" submit={submit} onSubmit={(values) => guard(() => verify(values))}>
        <CodeField label={t('code')} />
        {asksTerms ? <Terms /> : <StatedTerms />}
      </Form>
      <ul class="ways">
        <Way onClick={() => keep()}>{t('otherCode')}</Way>
      </ul>
    </>
  );
}

/** The field for a code of six digits, below the text that says where it is. */
export const CodeField = ({ label }: { label: string }) => (
  <Field
    label={label}
    name="code"
    about="about"
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
