import { createElement, Fragment, type ReactNode } from 'react';
import type { User } from '../generated/api.ts';
import { hasPassword } from '../sign-in-methods.ts';
import { useAnnouncement } from './announcement.ts';
import { ChangeForm } from './change-form.ts';
import { alert, button, passwordInput, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { useSameKey } from './same-key.ts';
import { useProvided } from './session.ts';
import { useSessions } from './session-list.ts';

type PasswordProps = PartProps & {
  user: User;
  /** How many characters a password has at least, if the project says so. */
  least: number | undefined;
};

/** The password of the signed-in user: a form that changes it, or a mailed link that sets the first one. */
export function PasswordPart({ part, words, user, least }: PasswordProps): ReactNode {
  const { auth, texts } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const { run, busy, words: failureText } = useAction(words.errors);
  const withKey = useSameKey();
  const sessions = useSessions();
  const { email } = user;
  const change = async ({ password = '', new_password = '' }: Record<string, string>) => {
    announce('');
    await withKey({ current_password: password, new_password }, auth.api.passwords.change);
    // The others have ended by that.
    await sessions.refresh();
    announce(words.passwordChanged);
  };
  const set = () =>
    run(async () => {
      announce('');
      await auth.forgotPassword({ email });
      announce(words.passwordMailed(email));
    });
  if (!hasPassword(user))
    return createElement(
      Fragment,
      null,
      createElement('p', part('note'), words.passwordNone),
      announcement,
      alert(part, failureText),
      email !== '' && button(part, words.passwordSet, { busy, onClick: set }),
    );
  return createElement(
    Fragment,
    null,
    announcement,
    createElement(
      'details',
      part('details'),
      createElement('summary', part('summary'), words.passwordChange),
      createElement(
        ChangeForm,
        {
          part,
          words,
          title: words.passwordChange,
          fields: [
            { ...passwordInput, label: words.passwordCurrent, refused: texts.passwordMissing },
            {
              ...{ name: 'new_password', type: 'password', autoComplete: 'new-password' },
              label: words.passwordNew(least),
              refused: words.passwordRefused,
            },
          ],
          act: change,
        },
        // By it a password manager knows which entry to change.
        createElement('input', {
          ...{ type: 'text', autoComplete: 'username', value: email, readOnly: true, hidden: true },
        }),
      ),
    ),
  );
}
