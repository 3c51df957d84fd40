import { useState } from 'preact/hooks';
import { rememberRequest } from '../authorization.ts';
import { FieldError, isCode } from '../failures.ts';
import { links } from '../links.ts';
import { t } from '../texts.ts';
import { CodeField, type CodeFormProps, codeOf } from './code-form.tsx';
import { EmailField, Form } from './form.tsx';
import { Way } from './list.tsx';
import { acceptedTerms, agreedTerms, StatedTerms, Terms } from './terms.tsx';
import { useProof } from './use-proof.ts';

/** Asks for an e-mail, mails a link to it, and takes the code that the link shows in another browser. */
export function LinkForm({ submit, asksTerms = false, guard, onEnter }: CodeFormProps) {
  const prove = useProof(onEnter);
  const [sentLink, setSentLink] = useState<{ link_id: string; email: string }>();

  const start = async (values: Record<string, string>) => {
    const { email: to = '' } = values;
    // Before the mail: its link signs somebody new up at once.
    if (asksTerms) agreedTerms(values);
    const { link_id } = await links.start(to);
    // The link may open in another tab, which then goes on with what this one was opened for.
    rememberRequest(link_id);
    setSentLink({ link_id, email: to });
  };
  const signIn = async (values: Record<string, string>) => {
    const code = codeOf(values);
    const { link_id = '' } = sentLink ?? {};
    try {
      await prove(link_id, () => links.signIn({ link_id, code, ...acceptedTerms() }));
    } catch (error) {
      if (isCode(error, 'invalid_credentials')) throw new FieldError('code', t('linkWrong'));
      throw error;
    }
  };

  if (!sentLink)
    return (
      <Form submit={t('sendLink')} onSubmit={start}>
        <EmailField />
        {asksTerms && <Terms />}
      </Form>
    );
  return (
    <>
      <p id="about" role="status">
        {t('linkSent', { email: sentLink.email })}
      </p>
      <Form key="code" submit={submit} onSubmit={(values) => guard(() => signIn(values))}>
        <CodeField label={t('linkCode')} />
        {!asksTerms && <StatedTerms />}
      </Form>
      <ul class="ways">
        <Way onClick={() => setSentLink(undefined)}>{t('mailAgain')}</Way>
      </ul>
    </>
  );
}
