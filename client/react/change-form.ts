import { createElement, type ReactNode, useState } from 'react';
import { alert, button, Field, FieldError, Form, passwordInput, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { useProvided } from './session.ts';

type ChangeProps = PartProps & {
  title: string;
  /** The name that is there; undefined: none is asked for. */
  name?: string | undefined;
  asksPassword?: boolean | undefined;
  act: (name: string, current_password?: string) => Promise<unknown>;
};

/** A form that asks for a name, or for the password, and then changes something of the account. */
export function ChangeForm({
  part,
  words,
  title,
  name,
  asksPassword = false,
  act,
}: ChangeProps): ReactNode {
  const { texts } = useProvided();
  const [text, setText] = useState(name ?? '');
  const [password, setPassword] = useState('');
  const { run, busy, failure, wrong, words: failureText } = useAction(words.errors);
  /** Where a refused input belongs; without a field it is said above the button. */
  const field = name !== undefined ? 'name' : asksPassword && 'password';
  const submit = () =>
    run(
      async () => {
        if (asksPassword && password === '')
          throw new FieldError('password', texts.passwordMissing);
        await act(text.trim(), asksPassword ? password : undefined);
        setPassword('');
      },
      {
        ...(asksPassword && { current_password: ['password', words.currentPasswordWrong] }),
        invalid_credentials: ['password', words.currentPasswordWrong],
        ...(field && { invalid_request: [field, texts.errors.invalid_request ?? ''] }),
      },
    );
  return createElement(
    Form,
    {
      part,
      label: title,
      failure,
      step: 'change',
      isInner: true,
      onSubmit: submit,
    },
    name !== undefined &&
      createElement(Field, {
        part,
        label: words.passkeyName,
        wrong,
        maxLength: 128,
        value: text,
        onText: setText,
        name: 'name',
        required: false,
      }),
    asksPassword &&
      createElement(Field, {
        part,
        label: texts.password,
        wrong,
        value: password,
        onText: setPassword,
        ...passwordInput,
      }),
    alert(part, failureText ?? wrong('passkey')),
    button(part, title, { look: 'main', busy }),
  );
}
