import type { User } from '../../../client/generated/api.ts';
import { hasPassword } from '../../../client/sign-in-methods.ts';
import { hrefOf } from '../../href.ts';
import { project } from '../../project.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Form, PasswordField } from '../../ui/form.tsx';
import { checkPassword, passwordHint } from '../../ui/password-rule.ts';
import { Section } from '../../ui/section.tsx';
import { withPassword } from './current-password.ts';

export function Password({ user }: { user: User }) {
  const change = async (values: Record<string, string>) => {
    const { current_password = '', new_password = '' } = values;
    checkPassword('new_password', new_password);
    const passwords = { current_password, new_password };
    takeUser((await withPassword(() => api.passwords.change(passwords))).body);
  };
  if (!project.methods.password) return null;
  if (!hasPassword(user))
    return (
      <Section title={t('password')}>
        <p>
          {t('noPassword')} <a href={hrefOf('forgotten-password')}>{t('setPassword')}</a>
        </p>
      </Section>
    );
  return (
    <Section title={t('password')}>
      <details>
        <summary>{t('changePassword')}</summary>
        <Form submit={t('changePassword')} done={t('passwordChanged')} onSubmit={change}>
          {/* By it a password manager knows which entry to change. */}
          <input type="text" autocomplete="username" value={user.email} hidden readOnly />
          <PasswordField label={t('currentPassword')} name="current_password" />
          <PasswordField
            label={t('newPassword')}
            name="new_password"
            autocomplete="new-password"
            hint={passwordHint()}
          />
        </Form>
      </details>
    </Section>
  );
}
