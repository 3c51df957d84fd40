import { createElement, Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ApiError } from './api-error.ts';
import type { Providers } from './providers.ts';
import { Change } from './react-change.ts';
import { alert, button, FieldError, useAction } from './react-form.ts';
import type { Given } from './react-later.ts';
import { providerFailure } from './react-provider-failure.ts';
import { useReauthentication } from './react-reauthentication.ts';
import { useProvided } from './react-session.ts';
import { wordsFor } from './react-texts.ts';

type LinkEndProps = Given & {
  providers: Providers;
  onLinked: (provider: string) => void;
  /** It has ended otherwise. `why`: what has failed, in words. */
  onEnd: (why?: string) => void;
};

/** Whether the service asks for the password that the user has. */
const wantsPassword = (error: unknown): boolean =>
  (error as Partial<ApiError>).errors?.some(
    ({ pointer }) => pointer === '/body/current_password',
  ) ?? false;

/** Ends the link of an account, on the page to which the provider has led back; asks for the password of who has one. */
export function LinkEnd({ part, words, providers, onLinked, onEnd }: LinkEndProps): ReactNode {
  const { texts } = useProvided();
  const ask = useReauthentication();
  const hasBegun = useRef(false);
  const [asksPassword, setAsksPassword] = useState(false);
  const errors = { ...words.errors, identity_conflict: words.accountTaken };
  const { run, busy, words: failed } = useAction(errors);

  async function finish(current_password?: string): Promise<void> {
    try {
      const ended = await providers.finish({ current_password });
      // The page itself has asked, and has the answer.
      if (ended?.from !== 'link') return onEnd();
      return onLinked(ended.provider);
    } catch (error) {
      if (current_password === undefined && wantsPassword(error)) return setAsksPassword(true);
      const { code } = error as Partial<ApiError>;
      if (code === 'reauthentication_required' && (await ask()) !== undefined)
        return finish(current_password);
      // It was not used up: another try, or the right password, may end it.
      if (providers.returnedFrom() === 'link' && code !== 'identity_conflict') throw error;
      providers.forget();
      const failure = providerFailure(error, words, texts, words.accountRefused);
      return onEnd(
        failure instanceof FieldError ? failure.message : wordsFor(failure, texts, errors),
      );
    }
  }
  const giveUp = () => {
    providers.forget();
    onEnd();
  };
  useEffect(() => {
    // StrictMode does it twice.
    if (!hasBegun.current) void run(finish);
    hasBegun.current = true;
  }, []);
  if (!asksPassword && failed === undefined)
    return createElement('p', { ...part('note'), role: 'status' }, texts.loading);
  return createElement(
    Fragment,
    null,
    asksPassword
      ? createElement(Change, {
          ...{ part, words, title: words.accountFinish, asksPassword },
          act: (_, current_password) => finish(current_password),
        })
      : [alert(part, failed), button(part, texts.again, { busy, onClick: () => void run(finish) })],
    button(part, texts.cancel, { link: true, busy, onClick: () => busy || giveUp() }),
  );
}
