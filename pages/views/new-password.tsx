import { useState } from 'preact/hooks';
import { forgetFragment, fragment } from '../address.ts';
import { device } from '../device.ts';
import { enterAccount } from '../enter.ts';
import { isCode } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { searchToSignIn } from '../link-to-sign-in.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { loadPasswordTexts } from '../texts/passwords.ts';
import { t } from '../texts.ts';
import { Form, PasswordField } from '../ui/form.tsx';
import { checkPassword, passwordHint } from '../ui/password-rule.ts';
import { useSecondStep } from '../ui/second-step.tsx';
import { agreedTerms, Terms } from '../ui/terms.tsx';
import { useProof } from '../ui/use-proof.ts';
import type { View } from '../view.ts';

export const view: View = {
  title: 'newPassword',
  for: 'anyone',
  loadTexts: loadPasswordTexts,
  Show: NewPassword,
};

const token = fragment.get('token') ?? '';

/** Sets the first password, or another one, with the token of a mail. */
function NewPassword() {
  const [isUsed, setUsed] = useState(token === '');
  const { guard, step } = useSecondStep(enterAccount);
  const prove = useProof(enterAccount);
  const set = async (values: Record<string, string>) => {
    const { password = '' } = values;
    checkPassword('password', password);
    const terms = agreedTerms(values);
    const { project_id } = project;
    const input = { project_id, token, password, ...terms };
    try {
      await prove(token, async () => {
        const { body } = await api.passwords.set({ ...input, ...device.known() });
        forgetFragment();
        return body;
      });
    } catch (error) {
      // The password is set also where a second factor is asked for.
      if (isCode(error, 'mail_token_invalid', 'mfa_required')) forgetFragment();
      if (isCode(error, 'mail_token_invalid')) setUsed(true);
      throw error;
    }
  };
  if (step) return step;
  const search = searchToSignIn();
  if (isUsed)
    return (
      <>
        <p role="alert">{t('error.mail_token_invalid')}</p>
        <p>
          <a href={hrefOf('forgotten-password', search)}>{t('newLink')}</a>
        </p>
        <p>
          <a href={hrefOf('sign-in', search)}>{t('signInInstead')}</a>
        </p>
        {project.sign_up && (
          <p>
            <a href={hrefOf('sign-up', search)}>{t('signUpInstead')}</a>
          </p>
        )}
      </>
    );
  return (
    <Form submit={t('setPassword')} onSubmit={(values) => guard(() => set(values))}>
      <PasswordField label={t('newPassword')} autocomplete="new-password" hint={passwordHint()} />
      <Terms />
    </Form>
  );
}
