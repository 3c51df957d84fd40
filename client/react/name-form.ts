import { createElement, Fragment, type ReactNode, useState } from 'react';
import type { User } from '../generated/api.ts';
import { type ProfileFields, profileChanges, profileFields } from '../profile-change.ts';
import { useAnnouncement } from './announcement.ts';
import { ChangeForm } from './change-form.ts';
import type { PartProps } from './later.ts';
import { useProvided } from './session.ts';
import { useRenewal } from './use-renewal.ts';

/** The names of the signed-in user. */
export function NameForm({ part, words, user }: PartProps & { user: User }): ReactNode {
  const { auth } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const renew = useRenewal();
  // What is learned of the user later does not change what is being typed.
  const [change] = useState(() => profileChanges(user));
  const [{ shown, number }, setForm] = useState(() => {
    const fields: ProfileFields = profileFields(user);
    return { shown: fields, number: 0 };
  });
  const save = async (wanted: Record<string, string>) => {
    announce('');
    const { elsewhere } = await change(auth.api, wanted);
    setForm({ shown: { ...wanted, ...elsewhere }, number: elsewhere ? number + 1 : number });
    announce(elsewhere ? words.changedElsewhere : words.saved);
    await renew();
  };
  const field = (name: keyof typeof shown, label: string, autoComplete: string) => ({
    ...{ name, label, autoComplete, maxLength: 128, required: false, dir: 'auto' },
    initial: shown[name],
  });
  return createElement(
    Fragment,
    null,
    announcement,
    createElement(ChangeForm, {
      // With what was changed elsewhere it is another form.
      key: number,
      part,
      words,
      title: words.save,
      fields: [
        field('display_name', words.displayName, 'nickname'),
        field('given_name', words.givenName, 'given-name'),
        field('family_name', words.familyName, 'family-name'),
      ],
      act: save,
    }),
  );
}
