import { useState } from 'preact/hooks';
import { type Key, t } from '../texts.ts';
import { EmailField, Form } from './form.tsx';
import { Way } from './list.tsx';

type MailFormProps = {
  explanation: string;
  /** What is said when the mail is on its way. */
  sentText: Key;
  onSend: (email: string) => Promise<unknown>;
};

/** Asks for an e-mail that a link is sent to. The words after it are the same whether or not there is an account. */
export function MailForm({ explanation, sentText, onSend }: MailFormProps) {
  const [to, setTo] = useState<string>();
  const send = async (values: Record<string, string>) => {
    const { email: address = '' } = values;
    await onSend(address);
    setTo(address);
  };
  if (to !== undefined)
    return (
      <>
        <p role="status">{t(sentText, { email: to })}</p>
        <ul class="ways">
          <Way onClick={() => setTo(undefined)}>{t('mailAgain')}</Way>
        </ul>
      </>
    );
  return (
    <>
      <p>{explanation}</p>
      <Form submit={t('sendLink')} onSubmit={send}>
        <EmailField />
      </Form>
    </>
  );
}
