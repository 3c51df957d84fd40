import { createElement, type ReactNode, useState } from 'react';
import type { Entered } from '../auth.ts';
import { alert, button, codeInput, Field, Form, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { parseFactorCode } from './parse-factor-code.ts';
import { useProvided } from './session.ts';

type SecondStepProps = PartProps & {
  /** The `mfa_token` of the first step. */
  mfaToken: string;
  finish: (signingIn: Promise<Entered>) => Promise<void>;
  /** Leads back to the first step. */
  onOther: () => void;
  /** Another way to sign in, which needs no code. */
  children?: ReactNode;
};

/** The second step of a sign-in: asks for a code of the authenticator app, or for a recovery code. */
export function SecondStep({
  part,
  words: { errors },
  mfaToken: mfa_token,
  finish,
  onOther,
  children,
}: SecondStepProps): ReactNode {
  const { auth, texts } = useProvided();
  const [code, setCode] = useState('');
  const { run, busy, failure, wrong, words } = useAction(errors);
  const submit = () =>
    run(
      async () => {
        const factor = parseFactorCode(code, texts);
        await finish(auth.signIn.mfa({ mfa_token, ...factor }));
      },
      {
        invalid_request: ['code', texts.mfaAsked],
        invalid_credentials: ['code', texts.codeWrong],
      },
    );
  return createElement(
    Form,
    { part, label: texts.signIn, failure, step: 'mfa', onSubmit: submit },
    createElement('p', { ...part('note'), role: 'status' }, texts.mfaAsked),
    createElement(Field, {
      part,
      label: texts.code,
      wrong,
      value: code,
      onText: setCode,
      ...codeInput,
      autoFocus: true,
    }),
    alert(part, words),
    button(part, texts.signIn, { look: 'main', busy }),
    children,
    button(part, texts.otherAccount, { look: 'link', busy, onClick: onOther }),
  );
}
