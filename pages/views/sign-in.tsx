import { useEffect, useState } from 'preact/hooks';
import type { Session, User } from '../../client/generated/api.ts';
import { page, providerAnswer, query } from '../address.ts';
import { requestSearch, waitingUrl } from '../authorization.ts';
import { solving } from '../captcha.ts';
import { device } from '../device.ts';
import { enter } from '../enter.ts';
import { FieldError, isCode, wordsFor } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { hasAnswer, providersOf, takeAnswer } from '../identity-provider.ts';
import { linkTarget } from '../link-to-sign-in.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { loadPasskeyTexts, t } from '../texts.ts';
import { Alert, EmailField, Form, PasswordField } from '../ui/form.tsx';
import { Later } from '../ui/later.tsx';
import { firstOf, MailedForm, OtherWays, waysToSignIn } from '../ui/mailed-form.tsx';
import { Providers } from '../ui/providers.tsx';
import { useSecondStep } from '../ui/second-step.tsx';
import { useAction } from '../ui/use-action.ts';
import type { View } from '../view.ts';

export const view: View = { title: 'signIn', for: 'anyone', Show: SignIn };

const loadPasskeyButton = async () => {
  const [part] = await Promise.all([import('../ui/passkey-button.tsx'), loadPasskeyTexts()]);
  return part.PasskeyButton;
};

/** Signs in, on its own page or in the place of one that needs it. */
function SignIn({ user }: { user?: User | undefined }) {
  const { password, passkey } = project.methods;
  const ways = waysToSignIn();
  const [way, setWay] = useState(() => firstOf(ways));
  const { run, busy, failure } = useAction();
  const isOwnPage = page === 'sign-in';
  // What somebody has gone to a provider from waits for them, however they sign in then.
  const next = isOwnPage ? (providerAnswer?.next ?? 'account') : undefined;
  const go = (session: Session) => enter(session, next);
  const { guard, step } = useSecondStep(go);
  // Only then: while something runs the form is not there, and what somebody has entered by then is lost.
  useEffect(() => {
    // Taken before the file comes: where it does not come, the form is there all the same.
    const answer = takeAnswer();
    if (answer)
      void run(() =>
        guard(async () => (await import('../enter-by-provider.ts')).enterByProvider(answer)),
      );
  }, []);
  const [wasSignedIn] = useState(user !== undefined);
  // An application that sends somebody here wants to be sure of who it is. Who has signed in since, in another tab, may
  // be enough: the service decides, and would lead here for ever if it were asked about who was signed in before.
  const isNeedless =
    next !== undefined &&
    user !== undefined &&
    (wasSignedIn
      ? requestSearch === '' && providerAnswer === undefined
      : !busy && !query.has('prompt'));
  useEffect(() => {
    if (isNeedless) location.replace(waitingUrl() ?? hrefOf(next));
  }, [isNeedless]);
  const hasProviders = providersOf().length > 0;
  if (isNeedless || busy || hasAnswer()) return <p aria-busy="true">{t('loading')}</p>;
  if (!way && !passkey && !hasProviders) return <p>{t('noMethods')}</p>;

  const target = linkTarget();
  const signIn = async (values: Record<string, string>) => {
    const { email: address = '', password: secret = '' } = values;
    try {
      const { project_id } = project;
      const { body } = await solving(
        'sign_in',
        api.passwords.signIn,
      )({
        project_id,
        email: address,
        password: secret,
        ...device.known(),
      });
      await go(body);
    } catch (error) {
      if (isCode(error, 'invalid_credentials'))
        throw new FieldError('password', t('error.invalid_credentials'));
      throw error;
    }
  };
  if (step) return step;
  return (
    <>
      {!isOwnPage && <p>{t('signInFirst')}</p>}
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
      <MailedForm way={way} submit={t('signIn')} guard={guard} onEnter={go} />
      {way === 'password' && (
        <Form submit={t('signIn')} onSubmit={(values) => guard(() => signIn(values))}>
          <EmailField />
          <PasswordField />
        </Form>
      )}
      {passkey && <Later load={loadPasskeyButton} of={{ next }} />}
      <Providers />
      <ul class="ways">
        <OtherWays ways={ways} way={way} onChoose={setWay} />
        {password && (
          <li>
            <a href={hrefOf('forgotten-password', requestSearch)} target={target}>
              {t('forgottenPassword')}
            </a>
          </li>
        )}
        {project.sign_up && (
          <li>
            <a href={hrefOf('sign-up', requestSearch)} target={target}>
              {t('signUpInstead')}
            </a>
          </li>
        )}
      </ul>
    </>
  );
}
