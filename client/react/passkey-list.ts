import { createElement, Fragment, type ReactNode, useState } from 'react';
import type { Passkey } from '../generated/api.ts';
import { addPasskey, supportsPasskeys } from '../passkeys.ts';
import { useAnnouncement } from './announcement.ts';
import { ChangeForm } from './change-form.ts';
import type { PartProps } from './later.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { listState } from './list-state.ts';
import { picked } from './passkey.ts';
import { useProvided } from './session.ts';
import type { StrongTexts } from './texts-strong.ts';
import { unlessGone } from './unless-gone.ts';

type Account = PartProps & { asksPassword: boolean };

export const usePasskeys = (isOffered = true): ListHook<Passkey[]> =>
  useList<Passkey[]>(
    isOffered ? 'passkeys' : undefined,
    async (api, signal) => (await api.passkeys.list({}, { signal })).body.result,
  );

/** The passkeys of the signed-in user, with a button to add one. */
export function PasskeyList({ part, words, asksPassword }: Account): ReactNode {
  const { auth, texts } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const passkeys = usePasskeys();
  const { data, refresh } = passkeys;
  /** How many were added here. */
  const [addedCount, setAddedCount] = useState(0);
  const tell = async (text: string) => {
    await refresh();
    announce(text);
  };
  const add = async ({ name }: Record<string, string>, currentPassword?: string) => {
    announce('');
    const adding = addPasskey(auth, { name: name || undefined, currentPassword });
    await picked(adding, words.passkeyNone, words.passkeyKnown);
    setAddedCount(addedCount + 1);
    await tell(words.passkeyAdded);
  };
  return createElement(
    Fragment,
    null,
    announcement,
    ...listState(part, texts, passkeys),
    data?.length === 0 && createElement('p', part('note'), words.passkeysNone),
    data &&
      data.length > 0 &&
      createElement(
        'ul',
        part('list'),
        data.map((passkey) =>
          createElement(
            'li',
            { key: passkey.passkey_id },
            createElement(PasskeyItem, { part, words, asksPassword, passkey, onChange: tell }),
          ),
        ),
      ),
    supportsPasskeys() &&
      createElement(ChangeForm, {
        // Empty after each that was added. What is typed while the list loads stays.
        key: addedCount,
        part,
        words,
        title: words.passkeyAdd,
        fields: nameField(words, ''),
        asksPassword,
        act: add,
      }),
  );
}

const nameField = ({ passkeyName: label }: StrongTexts, initial: string) => [
  { name: 'name', label, initial, maxLength: 128, required: false },
];

type PasskeyItemProps = Account & { passkey: Passkey; onChange: (text: string) => Promise<void> };

function PasskeyItem({
  part,
  words,
  asksPassword,
  passkey,
  onChange,
}: PasskeyItemProps): ReactNode {
  const { auth } = useProvided();
  const { passkey_id, name, created_at, last_used_at, counter_decreased } = passkey;
  const date = (at: string) => words.date(new Date(at));
  const usage =
    last_used_at === undefined
      ? words.passkeySince(date(created_at))
      : words.passkeyUsed(date(last_used_at));
  return createElement(
    'details',
    part('details'),
    createElement('summary', { ...part('summary'), dir: 'auto' }, name, ' – ', usage),
    counter_decreased && createElement('p', part('error'), words.passkeyCopied),
    createElement(ChangeForm, {
      part,
      words,
      title: words.passkeyRename,
      fields: nameField(words, name),
      act: async ({ name: to = '' }) => {
        await auth.api.passkeys.rename({ passkey_id, name: to }).catch(unlessGone);
        await onChange('');
      },
    }),
    createElement(ChangeForm, {
      part,
      words,
      title: words.passkeyDelete,
      asksPassword,
      act: async (_, current_password) => {
        await auth.api.passkeys.delete({ passkey_id, current_password }).catch(unlessGone);
        await onChange('');
      },
    }),
  );
}
