import { useRef, useState } from 'preact/hooks';
import type { User } from '../../../client/generated/api.ts';
import { wordsFor } from '../../failures.ts';
import { goTo, linkAnswer, providersOf, refusalOf, titleOf } from '../../identity-provider.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Alert, Form, PasswordField } from '../../ui/form.tsx';
import { hasPassword, withPassword } from './current-password.ts';

/** Links an account at an identity provider: there and back, and then by a click, with the password of who has one. */
export function Link({ user, linked }: { user: User; linked: readonly string[] }) {
  // Only for who has asked: somebody else may have signed in meanwhile.
  const [answer, setAnswer] = useState(linkAnswer?.linkTo === user.uid ? linkAnswer : undefined);
  const isDone = useRef(false);
  const { provider = '', id_token, state: nonce = '' } = answer ?? {};
  const link = async ({ current_password }: Record<string, string>) => {
    const token = { provider, id_token: id_token ?? '', nonce, current_password };
    const { body } = await withPassword(() => api.identities.link(token));
    isDone.current = true;
    setAnswer(undefined);
    takeUser(body);
  };
  const wordsOf = (name: string) => t('link', { provider: titleOf(name) });
  return (
    <>
      {id_token === null && <Alert>{wordsFor(refusalOf(provider))}</Alert>}
      {id_token && (
        <Form submit={wordsOf(provider)} onSubmit={link}>
          {hasPassword(user) && <PasswordField name="current_password" />}
        </Form>
      )}
      <p role="status">{isDone.current && t('saved')}</p>
      <ul class="ways">
        {providersOf()
          .filter(({ name }) => !linked.includes(name) && (!id_token || name !== provider))
          .map((each) => (
            <li key={each.name}>
              <button type="button" class="plain" onClick={() => goTo(each, user.email, user.uid)}>
                {wordsOf(each.name)}
              </button>
            </li>
          ))}
      </ul>
    </>
  );
}
