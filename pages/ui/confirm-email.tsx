import { useState } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { forgetFragment, fragment } from '../address.ts';
import { isCode } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { api, takeUser } from '../session.ts';
import { t } from '../texts.ts';
import { Form } from './form.tsx';

const token = fragment.get('token') ?? '';

/** Confirms an e-mail with the token of a mail: at a click, because some scanners of mail open links and run scripts. */
export function ConfirmEmail({ user }: { user: User }) {
  const [state, setState] = useState(token === '' ? 'used' : 'open');
  const confirm = async () => {
    try {
      const { body } = await api.emails.confirm({ token });
      forgetFragment();
      takeUser(body);
      setState('done');
    } catch (error) {
      // The link stays in the history: it may be for another account, to which a reload offers it.
      if (isCode(error, 'mail_token_invalid')) setState('used');
      else throw error;
    }
  };
  const account = <a href={hrefOf('account')}>{t('toAccount')}</a>;
  if (state === 'done')
    return (
      <>
        <p role="status">{t('emailConfirmed', { email: user.email })}</p>
        <p>{account}</p>
      </>
    );
  if (state === 'used')
    return (
      <>
        <p role="alert">{t('error.mail_token_invalid')}</p>
        <p>{account}</p>
      </>
    );
  return (
    <>
      <p>{t('confirmExplained', { email: user.email })}</p>
      <Form submit={t('confirmEmail')} onSubmit={confirm}>
        {null}
      </Form>
    </>
  );
}
