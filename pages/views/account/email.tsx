import { useState } from 'preact/hooks';
import type { User } from '../../../client/generated/api.ts';
import { api } from '../../session.ts';
import { t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { Field, Form, PasswordField } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { asksPassword, withPassword } from './current-password.ts';

export function Email({ user }: { user: User }) {
  const [sentTo, setSentTo] = useState<string>();
  const change = async ({ email = '', current_password }: Record<string, string>) => {
    setSentTo(undefined);
    await withPassword(() => api.emails.change({ email, current_password }));
    setSentTo(email);
  };
  const verify = async () => {
    setSentTo(undefined);
    await api.emails.verify();
    setSentTo(user.email);
  };
  return (
    <Section title={t('email')}>
      {user.email === '' ? (
        <p class="quiet">{t('error.email_missing')}</p>
      ) : (
        <p>
          <span dir="auto">{user.email}</span>{' '}
          <small>{t(user.verified.email ? 'verified' : 'notVerified')}</small>
        </p>
      )}
      {!user.verified.email && user.email !== '' && (
        <Action look="plain" onAction={verify}>
          {t('verifyEmail')}
        </Action>
      )}
      <details>
        <summary>{t('changeEmail')}</summary>
        <Form submit={t('sendLink')} onSubmit={change}>
          <Field label={t('newEmail')} name="email" type="email" autocomplete="email" />
          {asksPassword(user) && <PasswordField name="current_password" />}
        </Form>
      </details>
      <p role="status">{sentTo !== undefined && t('emailSent', { email: sentTo })}</p>
    </Section>
  );
}
