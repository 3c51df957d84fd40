import { useState } from 'preact/hooks';
import { rememberRequest, requestSearch } from '../authorization.ts';
import { solving } from '../captcha.ts';
import { enterAccount } from '../enter.ts';
import { hrefOf } from '../href.ts';
import { providersOf } from '../identity-provider.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { loadMailedTexts } from '../texts/mailed.ts';
import { t } from '../texts.ts';
import { MailForm } from '../ui/mail-form.tsx';
import { firstOf, MailedForm, OtherWays, waysToSignIn } from '../ui/mailed-form.tsx';
import { Providers } from '../ui/providers.tsx';
import { useSecondStep } from '../ui/second-step.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'signUp',
  for: 'anyone',
  loadTexts: loadMailedTexts,
  Show: SignUp,
};

function SignUp() {
  const ways = waysToSignIn();
  const [way, setWay] = useState(() => firstOf(ways));
  const { guard, step } = useSecondStep(enterAccount);
  const hasProviders = providersOf().length > 0;
  const signInInstead = <a href={hrefOf('sign-in', requestSearch)}>{t('signInInstead')}</a>;
  // An application may send people here (`prompt=create`) that knows nothing of the project's settings.
  if (!project.sign_up || (!way && !hasProviders))
    return (
      <>
        <p>{t('error.sign_up_disabled')}</p>
        <p>{signInInstead}</p>
      </>
    );

  if (step) return step;
  const mailLink = async (to: string) => {
    rememberRequest(to);
    await solving('sign_up', api.passwords.signUp)({ project_id: project.project_id, email: to });
  };
  return (
    <>
      <MailedForm way={way} submit={t('signUp')} asksTerms guard={guard} onEnter={enterAccount} />
      {way === 'password' && (
        <MailForm explanation={t('signUpExplained')} sentText="signUpSent" onSend={mailLink} />
      )}
      <Providers />
      <ul class="ways">
        <OtherWays ways={ways} way={way} onChoose={setWay} />
        <li>{signInInstead}</li>
      </ul>
    </>
  );
}
