import { createElement, Fragment, type ReactNode, useEffect, useState } from 'react';
import type { User } from '../generated/api.ts';
import { useAnnouncement } from './announcement.ts';
import { ChangeForm } from './change-form.ts';
import { alert, button, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import type { ListHook } from './list-hooks.ts';
import { pageOf } from './page.ts';
import { useSameKey } from './same-key.ts';
import { useProvided } from './session.ts';
import { useRenewal } from './use-renewal.ts';

type EmailProps = PartProps & { me: ListHook<User>; asksPassword: boolean };

/** The e-mail of the signed-in user: a mailed link verifies it, or replaces it by the one that it was sent to. */
export function EmailPart({ part, words, me, asksPassword }: EmailProps): ReactNode {
  const { auth, texts } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const { run, busy, words: failureText } = useAction(words.errors);
  const renew = useRenewal();
  const withChangeKey = useSameKey();
  const withVerifyKey = useSameKey();
  /** Where a link is that has not been opened yet. */
  const [pending, setPending] = useState<string>();
  const { email = '', verified } = me.data ?? {};
  const isVerified = verified?.email ?? false;
  const isDone = isVerified && email.toLowerCase() === pending?.toLowerCase();
  useEffect(() => {
    if (pending === undefined) return undefined;
    if (isDone) {
      setPending(undefined);
      announce(words.emailConfirmed(email));
      void renew();
      return undefined;
    }
    // The link was opened in another tab, if it was opened: this one is looked at again after that.
    const page = pageOf();
    const look = () => void me.refresh();
    page.addEventListener('focus', look);
    return () => page.removeEventListener('focus', look);
  }, [pending, isDone]);
  const change = async ({ email: to = '' }: Record<string, string>, current_password?: string) => {
    announce('');
    await withChangeKey({ email: to, current_password }, auth.api.emails.change);
    setPending(to);
    announce(words.emailPending(to, email));
  };
  const verify = () =>
    run(async () => {
      announce('');
      // The call does not name the e-mail: with the key of an earlier one, nothing is sent to this one.
      await withVerifyKey({ email }, (_, options) => auth.api.emails.verify({}, options));
      setPending(email);
      announce(words.emailSent(email));
    });
  return createElement(
    Fragment,
    null,
    createElement(
      'p',
      { ...part('note'), dir: 'auto' },
      email === '' ? words.emailNone : email,
      email !== '' && ` (${isVerified ? words.emailVerified : words.emailUnverified})`,
    ),
    announcement,
    alert(part, failureText),
    !isVerified && email !== '' && button(part, words.emailVerify, { busy, onClick: verify }),
    createElement(
      'details',
      part('details'),
      createElement('summary', part('summary'), words.emailChange),
      createElement(ChangeForm, {
        part,
        words,
        title: texts.sendLink,
        fields: [
          {
            ...{ name: 'email', type: 'email', autoComplete: 'email', label: words.emailNew },
            refused: texts.emailInvalid,
          },
        ],
        asksPassword,
        act: change,
      }),
    ),
  );
}
