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

/** Milliseconds, after which a lost answer is no longer asked for: of a link that lives an hour, too little is left. */
const fresh = 600_000;

type EmailProps = PartProps & { me: ListHook<User>; asksPassword: boolean };

/** The e-mail of the signed-in user: a mailed link verifies it, or replaces it by the one that it was sent to. */
export function EmailPart({ part, words, me, asksPassword }: EmailProps): ReactNode {
  const { auth, texts } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const { run, busy, words: failureText } = useAction(words.errors);
  const renew = useRenewal();
  const withChangeKey = useSameKey(fresh);
  const withVerifyKey = useSameKey(fresh);
  /** The verified e-mail, if any, that was last known here; undefined: no link was asked for. */
  const [before, setBefore] = useState<string>();
  const { email = '', verified } = me.data ?? {};
  const confirmed = verified?.email ? email : '';
  // By any link that is valid, also an earlier one.
  const isDone = confirmed !== '' && confirmed !== before;
  useEffect(() => {
    if (before === undefined) return undefined;
    if (isDone) {
      // A link to another e-mail may be valid still.
      setBefore(confirmed);
      announce(words.emailConfirmed(email));
      void renew();
      return undefined;
    }
    // The link was opened in another tab, if it was opened: this one is looked at again after that.
    const page = pageOf();
    const look = () => void me.refresh();
    page.addEventListener('focus', look);
    return () => page.removeEventListener('focus', look);
  }, [before, isDone]);
  const change = async ({ email: to = '' }: Record<string, string>, current_password?: string) => {
    announce('');
    await withChangeKey({ email: to, current_password }, auth.api.emails.change);
    setBefore(confirmed);
    announce(words.emailPending(to, email));
  };
  const verify = () =>
    run(async () => {
      announce('');
      // The call does not name the e-mail: with the key of an earlier one, nothing is sent to this one.
      await withVerifyKey({ email }, (_, options) => auth.api.emails.verify({}, options));
      setBefore(confirmed);
      announce(words.emailSent(email));
    });
  return createElement(
    Fragment,
    null,
    createElement(
      'p',
      { ...part('note'), dir: 'auto' },
      email === '' ? words.emailNone : email,
      email !== '' && ` (${confirmed ? words.emailVerified : words.emailUnverified})`,
    ),
    announcement,
    alert(part, failureText),
    !confirmed && email !== '' && button(part, words.emailVerify, { busy, onClick: verify }),
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
