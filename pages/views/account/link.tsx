import { useRef, useState } from 'preact/hooks';
import type { User } from '../../../client/generated/api.ts';
import { titleOf } from '../../../client/providers/title.ts';
import { isCode, wordsFor } from '../../failures.ts';
import { goTo, linkAnswer, providersOf } from '../../identity-provider.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { Alert, Form, PasswordField } from '../../ui/form.tsx';
import { asksPassword, withPassword } from './current-password.ts';

/** Links an account at an identity provider: there and back, and then by a click, with the password of who has one. */
export function Link({ user, linked }: { user: User; linked: readonly string[] }) {
  // Only for who has asked: somebody else may have signed in meanwhile.
  const [answer, setAnswer] = useState(linkAnswer?.linkTo === user.uid ? linkAnswer : undefined);
  const isDone = useRef(false);
  const [failure, setFailure] = useState<unknown>();
  const { provider = '', id_token, code, verifier = '', state: nonce = '' } = answer ?? {};
  const hasProof = id_token !== undefined || code !== undefined;
  const linkTo = async ({ current_password }: Record<string, string>) => {
    const proof =
      code === undefined ? { id_token: id_token ?? '', nonce } : { code, code_verifier: verifier };
    const link = { provider, ...proof, current_password };
    try {
      const { body } = await withPassword(() => api.identities.link(link));
      isDone.current = true;
      setAnswer(undefined);
      takeUser(body);
    } catch (error) {
      if (!isCode(error, 'identity_conflict', 'identity_token_invalid')) throw error;
      // No other try ends it: another account can be picked.
      setFailure(error);
      setAnswer(undefined);
    }
  };
  const wordsOf = (name: string) => t('link', { provider: titleOf(name) });
  return (
    <>
      {answer && !hasProof && <Alert>{t('linkRefused', { provider: titleOf(provider) })}</Alert>}
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
      {hasProof && (
        <Form submit={wordsOf(provider)} onSubmit={linkTo}>
          {asksPassword(user) && <PasswordField name="current_password" />}
        </Form>
      )}
      <p role="status">{isDone.current && t('saved')}</p>
      <ul class="ways">
        {providersOf()
          .filter(({ name }) => !linked.includes(name) && (!hasProof || name !== provider))
          .map((each) => (
            <li key={each.name}>
              <Action look="plain" onAction={() => goTo(each, user.email, user.uid)}>
                {wordsOf(each.name)}
              </Action>
            </li>
          ))}
      </ul>
    </>
  );
}
