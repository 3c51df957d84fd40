import type { User } from '../../../client/generated/api.ts';
import { titleOf } from '../../../client/providers/title.ts';
import { linkedProviders } from '../../../client/sign-in-methods.ts';
import { unlessGone } from '../../failures.ts';
import { providersOf } from '../../identity-provider.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Form, PasswordField } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { asksPassword, withPassword } from './current-password.ts';
import { Link } from './link.tsx';

/** The accounts at identity providers that somebody can sign in with, or could. */
export function Identities({ user }: { user: User }) {
  const providers = linkedProviders(user);
  if (providers.length === 0 && providersOf().length === 0) return null;
  const unlink = (provider: string) => async (values: Record<string, string>) => {
    const { current_password } = values;
    const { unlink: end } = api.identities;
    const answer = await withPassword(() => end({ provider, current_password }).catch(unlessGone));
    takeUser((answer ?? (await api.users.getMe())).body);
  };
  return (
    <Section title={t('identities')}>
      {providers.map((provider) => (
        <details key={provider}>
          <summary>{titleOf(provider)}</summary>
          <Form
            danger
            submit={t('unlink', { provider: titleOf(provider) })}
            onSubmit={unlink(provider)}
          >
            {asksPassword(user) && <PasswordField name="current_password" />}
          </Form>
        </details>
      ))}
      <Link user={user} linked={providers} />
    </Section>
  );
}
