import { createElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApiError } from '../api-error.ts';
import type { ProviderError } from '../providers/error.ts';
import type { Providers } from '../providers.ts';
import { wantsPassword } from '../sign-in-methods.ts';
import { ChangeForm } from './change-form.ts';
import { isFocusLost } from './focus.ts';
import { alert, button, FieldError, firstIn, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { providerFailure } from './provider-failure.ts';
import { useProvided } from './session.ts';
import { wordsFor } from './texts.ts';

type LinkEndProps = PartProps & {
  providers: Providers;
  onLinked: (title: string) => Promise<void>;
  /** It has ended otherwise. `why`: what has failed, in words. */
  onEnd: (why?: string) => Promise<void>;
};

const open = [
  'invalid_credentials',
  'invalid_request',
  'reauthentication_required',
  'request_in_progress',
];
/** What another try, or the right password, may end: the code was not used up. */
const isOpen = ({ status, code }: Partial<ApiError>): boolean =>
  status === undefined || status === 429 || status >= 500 || open.includes(`${code}`);

/**
 * Completes the link of an account, on the page to which the provider has led back; asks users with a password for it.
 */
export function LinkEnd({ part, words, providers, onLinked, onEnd }: LinkEndProps): ReactNode {
  const { texts, prompt } = useProvided();
  const hasBegun = useRef(false);
  const [isSending, setSending] = useState(false);
  const form = useRef<unknown>(null);
  const [title] = useState(() => providers.returnedBy()?.title ?? '');
  const [asksPassword, setAsksPassword] = useState(false);
  /** It stays while another try runs, and with it the focus. */
  const [hasFailed, setFailed] = useState(false);
  const errors = {
    ...words.errors,
    identity_conflict: words.accountTaken,
    identity_token_invalid: words.accountExpired,
  };
  const { run, busy, words: failureText } = useAction(errors);

  async function send(current_password?: string): Promise<void> {
    try {
      const result = await providers.finish({ current_password });
      // Without an answer the page itself has asked, and has it.
      await (result?.from === 'link' ? onLinked(title) : onEnd());
    } catch (error) {
      if (current_password === undefined && wantsPassword(error)) return setAsksPassword(true);
      const { code } = error as Partial<ApiError>;
      if (code === 'reauthentication_required' && (await prompt.ask()) !== undefined)
        return await send(current_password);
      if (providers.returnedFrom() === 'link' && isOpen(error as ApiError)) {
        setFailed(true);
        throw error;
      }
      providers.forget();
      await onEnd(reasonOf(error));
    }
  }
  /** Undefined if another user has signed in here meanwhile: they did not ask for this link, so they see no failure. */
  function reasonOf(error: unknown): string | undefined {
    if (['other_user', 'signed_out'].includes((error as ProviderError).code)) return undefined;
    const failure = providerFailure(error, words, texts, words.accountRefused);
    return failure instanceof FieldError ? failure.message : wordsFor(failure, texts, errors);
  }
  const finish = async (current_password?: string) => {
    setSending(true);
    try {
      await send(current_password);
    } finally {
      setSending(false);
    }
  };
  const giveUp = () => {
    // The request in progress may have linked the account.
    if (isSending) return;
    providers.forget();
    void onEnd();
  };
  useEffect(() => {
    // StrictMode does it twice.
    if (!hasBegun.current) void run(finish);
    hasBegun.current = true;
  }, []);
  useLayoutEffect(() => {
    if (asksPassword && isFocusLost()) firstIn(form.current, 'input')?.focus();
  }, [asksPassword]);
  const note = asksPassword ? words.accountPassword(title) : !hasFailed && texts.loading;
  return createElement(
    'div',
    { ...part('form'), ref: form as never },
    createElement('p', { ...part('note'), role: 'status' }, note),
    asksPassword &&
      createElement(ChangeForm, {
        part,
        words: { ...words, errors },
        title: words.accountLink(title),
        asksPassword,
        act: (_, current_password) => finish(current_password),
      }),
    !asksPassword && alert(part, failureText),
    !asksPassword && hasFailed && button(part, texts.again, { busy, onClick: () => run(finish) }),
    (asksPassword || hasFailed) &&
      button(part, texts.cancel, { look: 'link', busy: busy || isSending, onClick: giveUp }),
  );
}
