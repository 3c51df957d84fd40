import { rememberRequest, requestSearch } from '../authorization.ts';
import { solving } from '../captcha.ts';
import { hrefOf } from '../href.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { loadMailedTexts } from '../texts/mailed.ts';
import { t } from '../texts.ts';
import { MailForm } from '../ui/mail-form.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'forgottenPassword',
  for: 'anyone',
  loadTexts: loadMailedTexts,
  Show: ForgottenPassword,
};

function ForgottenPassword() {
  const mailLink = async (email: string) => {
    rememberRequest(email);
    await solving(
      'reset_password',
      api.passwords.forgot,
    )({ project_id: project.project_id, email });
  };
  return (
    <>
      <MailForm explanation={t('forgottenExplained')} sentText="forgottenSent" onSend={mailLink} />
      <ul class="ways">
        <li>
          <a href={hrefOf('sign-in', requestSearch)}>{t('signInInstead')}</a>
        </li>
      </ul>
    </>
  );
}
