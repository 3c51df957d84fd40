import { createElement, type InputHTMLAttributes, type ReactNode, useState } from 'react';
import { wantsPassword } from '../sign-in-methods.ts';
import { alert, button, Field, FieldError, Form, passwordInput, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { useProvided } from './session.ts';

type Asked = Pick<
  InputHTMLAttributes<unknown>,
  'type' | 'autoComplete' | 'maxLength' | 'required' | 'dir'
> & {
  name: string;
  label: string;
  /** What is there; undefined: it is asked for anew each time. */
  initial?: string | undefined;
  /** What is said of it where the service refuses it. */
  refused?: string | undefined;
};

type ChangeProps = PartProps & {
  title: string;
  fields?: readonly Asked[] | undefined;
  /** Whether it asks for the password; undefined: what it does takes none. */
  asksPassword?: boolean | undefined;
  /** `values`: what is in the fields, by name. */
  act: (values: Record<string, string>, current_password?: string) => Promise<unknown>;
  children?: ReactNode;
};

const none: readonly Asked[] = [];

/** A form that asks for values, and for the password, and then changes something of the account. */
export function ChangeForm({
  part,
  words,
  title,
  fields = none,
  asksPassword,
  act,
  children,
}: ChangeProps): ReactNode {
  const { texts } = useProvided();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [password, setPassword] = useState('');
  const [wanted, setWanted] = useState(false);
  const { run, busy, failure, wrong, words: failureText } = useAction(words.errors);
  const asks = asksPassword || wanted;
  const invalid = texts.errors.invalid_request ?? '';
  /** Where a refused input belongs; without a field it is said above the button. */
  const first = fields[0] ?? (asks && { name: 'password', refused: undefined });
  const valueOf = ({ name, initial = '' }: Asked) => typed[name] ?? initial;
  const submit = () =>
    run(
      async () => {
        const values: Record<string, string> = {};
        for (const each of fields) {
          const { name, type, required, refused } = each;
          // A password may begin or end with a blank.
          const value = type === 'password' ? valueOf(each) : valueOf(each).trim();
          if (required !== false && value === '') throw new FieldError(name, refused ?? invalid);
          values[name] = value;
        }
        if (asks && password === '') throw new FieldError('password', texts.passwordMissing);
        try {
          await act(values, asks ? password : undefined);
        } catch (error) {
          if (asks || asksPassword === undefined || !wantsPassword(error)) throw error;
          // Set since the page was opened.
          setWanted(true);
          throw new FieldError('password', texts.passwordMissing);
        }
        setPassword('');
        const anew = fields.filter(({ initial }) => initial === undefined);
        setTyped((all) => ({ ...all, ...Object.fromEntries(anew.map(({ name }) => [name, ''])) }));
      },
      {
        ...Object.fromEntries(
          fields.map(({ name, refused }) => [name, [name, refused ?? invalid]]),
        ),
        current_password: ['password', words.currentPasswordWrong],
        invalid_credentials: ['password', words.currentPasswordWrong],
        ...(first && { invalid_request: [first.name, first.refused ?? invalid] }),
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
    children,
    fields.map((each) => {
      const { initial: _, refused: __, ...input } = each;
      return createElement(Field, {
        key: each.name,
        part,
        wrong,
        ...input,
        value: valueOf(each),
        onText: (text: string) => setTyped((all) => ({ ...all, [each.name]: text })),
      });
    }),
    asks &&
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
