import type { User } from '../../../client/generated/api.ts';
import { FieldError, isCode } from '../../failures.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Form, PasswordField } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { hasPassword } from './has-password.ts';

const own = ['idpw', 'email_code'];

/** The accounts at identity providers that somebody can sign in with. */
export function Identities({ user }: { user: User }) {
  const providers = Object.entries(user.sign_in_methods ?? {})
    .filter(([name, { enabled }]) => enabled && !own.includes(name))
    .map(([name]) => name);
  if (providers.length === 0) return null;
  const unlink = (provider: string) => async (values: Record<string, string>) => {
    const { current_password } = values;
    try {
      takeUser((await api.identities.unlink({ provider, current_password })).body);
    } catch (error) {
      if (isCode(error, 'invalid_credentials'))
        throw new FieldError('current_password', t('passwordWrong'));
      throw error;
    }
  };
  return (
    <Section title={t('identities')}>
      {providers.map((provider) => (
        <details key={provider}>
          <summary>{provider}</summary>
          <Form danger submit={t('unlink', { provider })} onSubmit={unlink(provider)}>
            {hasPassword(user) && <PasswordField name="current_password" />}
          </Form>
        </details>
      ))}
    </Section>
  );
}
