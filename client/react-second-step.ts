import { createElement, useState } from 'react';
import type { PageAuth } from './auth.ts';
import { alert, button, Field, FieldError, Form, type Part, useAction } from './react-form.ts';
import { useProvided } from './react-session.ts';

type SecondStepProps = {
  part: Part;
  /** The `mfa_token` of the first step. */
  asked: string;
  finish: (signingIn: ReturnType<PageAuth['signIn']['mfa']>) => Promise<void>;
  /** Leads back to the first step. */
  onOther: () => void;
};

/** The second step of a sign-in: asks for a code of the authenticator app, or for a recovery code. */
export function SecondStep({ part, asked: mfa_token, finish, onOther }: SecondStepProps) {
  const { auth, texts } = useProvided();
  const [code, setCode] = useState('');
  const { run, busy, failure, wrong, words } = useAction();
  const submit = () =>
    run(
      async () => {
        const typed = code.replaceAll(/\s/g, '');
        if (!/^(?:\d{6}|[a-z\d]{5}(?:-?[a-z\d]{5}){2})$/i.test(typed))
          throw new FieldError('code', texts.mfaAsked);
        const guess = typed.length === 6 ? { code: typed } : { recovery_code: typed };
        await finish(auth.signIn.mfa({ mfa_token, ...guess }));
      },
      {
        invalid_request: ['code', texts.mfaAsked],
        invalid_credentials: ['code', texts.codeWrong],
      },
    );
  return createElement(
    Form,
    { part, label: texts.signIn, failure, step: 'mfa', onSubmit: () => void submit() },
    createElement('p', { ...part('note'), role: 'status' }, texts.mfaAsked),
    createElement(Field, {
      part,
      label: texts.code,
      wrong: wrong('code'),
      value: code,
      onText: setCode,
      name: 'code',
      autoComplete: 'one-time-code',
      autoFocus: true,
    }),
    alert(part, words),
    button(part, texts.signIn, { submit: true, busy }),
    button(part, texts.otherAccount, { link: true, busy, onClick: onOther }),
  );
}
