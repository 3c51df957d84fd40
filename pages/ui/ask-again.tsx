import { useEffect, useId, useRef } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { hasPassword } from '../../client/sign-in-methods.ts';
import type { Asking } from '../asking.ts';
import { FieldError, isCode, wordsFor } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { hasPasskeys, pickPasskey, sendPasskey } from '../passkeys.ts';
import { project } from '../project.ts';
import { api, sendAsUser } from '../session.ts';
import { loadFactorTexts, loadPasskeyTexts, t } from '../texts.ts';
import { FactorCode, withGuess } from './factor-code.tsx';
import { Alert, Form, PasswordField } from './form.tsx';
import { useAction } from './use-action.ts';

/** What the user can show: the app of who has one, or else the password; and a passkey. */
type Ways = { app: boolean; password: boolean; passkey: boolean };

/** The dialog that asks who is signed in to prove it, for what they can show. */
export async function loadAskAgain() {
  const [{ body }, factors] = await Promise.all([
    api.users.getMe(),
    project.mfa === 'off' ? undefined : sendAsUser('GET /users/me/factors'),
    loadFactorTexts(),
    hasPasskeys() ? loadPasskeyTexts() : undefined,
  ]);
  const ways = waysOf(body, ((factors as { total: number } | undefined)?.total ?? 0) > 0);
  return (props: Asking) => <AskAgain {...props} ways={ways} />;
}

const waysOf = (user: User, app: boolean): Ways => ({
  app,
  password: !app && project.methods.password && hasPassword(user),
  passkey: hasPasskeys() && (user.sign_in_methods?.['passkey']?.enabled ?? false),
});

const prove = (proof: Record<string, unknown>) =>
  sendAsUser('POST /sessions/reauthenticate', proof);

const proven = 'proven';

function AskAgain({ ways, onEnd }: Asking & { ways: Ways }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { run, busy, failure } = useAction();
  useEffect(() => dialog.current?.showModal(), []);
  /** The browser gives the focus back to where it was. */
  const close = (returnValue = '') => dialog.current?.close(returnValue);
  const byPassword = async ({ current_password = '' }: Record<string, string>) => {
    try {
      await prove({ password: current_password });
    } catch (error) {
      throw isCode(error, 'invalid_credentials')
        ? new FieldError('current_password', t('passwordWrong'))
        : error;
    }
    close(proven);
  };
  const byCode = async (values: Record<string, string>) => {
    await withGuess(values, prove);
    close(proven);
  };
  const byPasskey = async () => {
    await sendPasskey(await pickPasskey(), (passkey) => prove({ passkey }));
    close(proven);
  };
  const isLost = !ways.app && !ways.password && !ways.passkey;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={({ currentTarget }) => onEnd(currentTarget.returnValue === proven)}
    >
      <article>
        <h2 id={id}>{t('askAgain')}</h2>
        <p>{t(isLost ? 'askAgainAnew' : 'askAgainExplained')}</p>
        {ways.password && (
          <Form submit={t('askAgainGoOn')} onSubmit={byPassword}>
            <PasswordField name="current_password" />
          </Form>
        )}
        {ways.app && (
          <Form submit={t('askAgainGoOn')} onSubmit={byCode}>
            <FactorCode label={t('factorProof')} />
          </Form>
        )}
        {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
        {ways.passkey && (
          <button
            type="button"
            class={ways.app || ways.password ? 'secondary' : undefined}
            aria-busy={busy}
            aria-disabled={busy}
            onClick={() => void run(byPasskey)}
          >
            {t('usePasskey')}
          </button>
        )}
        {isLost && (
          <p>
            <a href={hrefOf('sign-out')}>{t('signOut')}</a>
          </p>
        )}
        <button type="button" class="secondary" onClick={() => close()}>
          {t('cancel')}
        </button>
      </article>
    </dialog>
  );
}
