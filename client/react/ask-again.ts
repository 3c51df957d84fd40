import { createElement, Fragment, type ReactNode, useEffect, useState } from 'react';
import { factorsOf } from '../factors.ts';
import { getPasskey, supportsPasskeys } from '../passkeys.ts';
import {
  alert,
  button,
  codeInput,
  Field,
  FieldError,
  Form,
  passwordInput,
  useAction,
} from './form.ts';
import type { PartProps } from './later.ts';
import { parseFactorCode } from './parse-factor-code.ts';
import { picked } from './passkey.ts';
import { useProvided } from './session.ts';

/** What the user has to show. An app comes before the password. */
type Ways = { app: boolean; password: boolean; passkey: boolean };

type AskAgainProps = PartProps & { onProven: (access_token: string) => void };

/** Asks the signed-in user to authenticate again, by a method that they have. */
export function AskAgain({ part, words, onProven }: AskAgainProps): ReactNode {
  const { auth, texts } = useProvided();
  const [ways, setWays] = useState<Ways>();
  const [tries, setTries] = useState(0);
  const [text, setText] = useState('');
  const { run, busy, failure, wrong, words: failureText } = useAction(words.errors);
  const { factors, sessions } = factorsOf(auth);

  useEffect(() => {
    void run(async () => {
      const [{ body }, factorList] = await Promise.all([auth.api.users.getMe(), factors.list()]);
      const can = (method: string) => body.sign_in_methods?.[method]?.enabled ?? false;
      const app = factorList.body.total > 0;
      const passkey = can('passkey') && supportsPasskeys();
      setWays({ app, password: can('idpw'), passkey });
    });
  }, [auth, tries]);

  /** A page does not know what its project has turned off: what is refused as such is not asked for again. */
  const orWithout = async (way: keyof Ways, attempt: () => Promise<void>) => {
    try {
      await attempt();
    } catch (error) {
      if ((error as { code?: string }).code === 'sign_in_method_disabled') {
        setWays((all) => all && { ...all, [way]: false });
        setText('');
      }
      throw error;
    }
  };
  const prove = async (proof: Parameters<typeof sessions.reauthenticate>[0]) =>
    onProven((await sessions.reauthenticate(proof)).body.access_token);
  const byPassword = () =>
    run(
      async () => {
        if (text === '') throw new FieldError('password', texts.passwordMissing);
        await orWithout('password', () => prove({ password: text }));
      },
      { invalid_credentials: ['password', words.currentPasswordWrong] },
    );
  const byCode = () =>
    run(
      async () => {
        const factor = parseFactorCode(text, texts);
        await orWithout('app', () => prove(factor));
      },
      { invalid_credentials: ['code', texts.codeWrong] },
    );
  const byPasskey = () =>
    run(
      async () => {
        await orWithout('passkey', async () => {
          const { publicKey } = await auth.signIn.startPasskey();
          await prove({ passkey: await picked(getPasskey(publicKey), words.passkeyNone) });
        });
      },
      { invalid_credentials: ['passkey', words.passkeyWrong] },
    );

  if (!ways)
    return failureText === undefined
      ? createElement('p', part('note'), texts.loading)
      : createElement(
          Fragment,
          null,
          alert(part, failureText),
          button(part, texts.again, { busy, onClick: () => setTries(tries + 1) }),
        );
  const { app, password, passkey } = ways;
  const isLost = !app && !password && !passkey;
  const field = app
    ? { label: words.appProof, ...codeInput }
    : {
        label: texts.password,
        ...passwordInput,
      };
  return createElement(
    Fragment,
    null,
    createElement('p', part('note'), isLost ? words.askAgainAnew : words.askAgain),
    (app || password) &&
      createElement(
        Form,
        {
          part,
          label: texts.isItYou,
          failure,
          step: 'ask',
          isInner: true,
          onSubmit: app ? byCode : byPassword,
        },
        createElement(Field, {
          part,
          ...field,
          wrong,
          value: text,
          onText: setText,
          autoFocus: true,
        }),
        button(part, words.goOn, { look: 'main', busy }),
      ),
    alert(part, failureText ?? wrong('passkey')),
    passkey && button(part, words.usePasskey, { busy, onClick: byPasskey }),
    isLost && button(part, texts.signOut, { busy, onClick: () => run(() => auth.signOut()) }),
  );
}
