import type { ApiError } from '../../client/client.ts';
import type { Session } from '../../client/generated/api.ts';
import { device } from '../device.ts';
import { project } from '../project.ts';
import { api } from '../session.ts';
import { t } from '../texts.ts';
import { FactorCode, withGuess } from './factor-code.tsx';
import { Form } from './form.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { useProof } from './use-proof.ts';

type MfaFormProps = {
  /** The answer to the first factor. */
  challenge: ApiError;
  onEnter: (session: Session) => Promise<unknown>;
};

/** Asks for a code of the authenticator app, or for a recovery code, and starts the session. */
export function MfaForm({ challenge, onEnter }: MfaFormProps) {
  const pendingSignIn = {
    project_id: project.project_id,
    mfa_token: String(challenge.problem['mfa_token']),
  };
  const prove = useProof(onEnter);
  const finish = async (values: Record<string, string>) => {
    const { signIn } = api.factors;
    await prove(pendingSignIn.mfa_token, async () => {
      const { body } = await withGuess(values, (guess) =>
        signIn({ ...pendingSignIn, ...guess, ...device.known() }),
      );
      return body;
    });
  };
  return (
    <>
      <p id="about" role="status">
        {t('mfaAsked')}
      </p>
      <Form key="mfa" submit={t('signIn')} onSubmit={finish}>
        <FactorCode about="about" />
      </Form>
      <SignInAgain />
    </>
  );
}
