import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ApiError } from './api-error.ts';
import type { User } from './generated/api.ts';
import { type OfferedProvider, titleOf } from './provider-title.ts';
import type { Providers } from './providers.ts';
import { Change } from './react-change.ts';
import { useList } from './react-data.ts';
import { alert, button } from './react-form.ts';
import type { Given } from './react-later.ts';
import { LinkEnd } from './react-link-end.ts';
import { pageOf } from './react-page.ts';
import { ProviderButtons } from './react-provider-buttons.ts';
import { useProvided } from './react-session.ts';
import { wordsFor } from './react-texts.ts';
import { hasPassword, linkedProviders, wantsPassword } from './sign-in-methods.ts';

/** Whether what had the focus is gone: nobody is in the middle of something else. */
function isFocusLost(): boolean {
  const { body, activeElement } = pageOf().document;
  return activeElement === body || activeElement === null;
}

/** The linked accounts of who is signed in, each with how to unlink it, and those that could be linked. */
export function AccountList({
  part,
  words,
  providers,
}: Given & { providers: Providers }): ReactNode {
  const { auth, texts } = useProvided();
  const status = useRef<{ focus(): void }>(null);
  const [said, setSaid] = useState<{ text: string }>();
  const [isBack, setBack] = useState(() => providers.returnedFrom() === 'link');
  const [refusal, setRefusal] = useState(() =>
    // An answer that this tab has not asked for is left to who signs people in.
    providers.returnedFrom() !== undefined && providers.returnedBy() === undefined
      ? words.providerElsewhere
      : undefined,
  );
  const [offered, setOffered] = useState<readonly OfferedProvider[]>();
  const { data, error, refresh } = useList<User>(
    'me',
    async (api, signal) => (await api.users.getMe({}, { signal })).body,
  );
  useEffect(() => {
    // The buttons say it where it fails.
    void providers.offered().then(setOffered, () => undefined);
  }, [providers]);
  useEffect(() => {
    // What was pressed is gone.
    if (said && isFocusLost()) status.current?.focus();
  }, [said]);
  const title = (name: string) =>
    offered?.find((each) => each.name === name)?.title ?? titleOf(name);
  const tell = async (text: string, why?: string) => {
    setRefusal(why);
    // Also after a failure: an answer that was lost may have changed the list.
    await refresh();
    setSaid({ text });
  };
  const unlink = (provider: string) => async (_: string, current_password?: string) => {
    try {
      await auth.api.identities.unlink({ provider, current_password });
    } catch (refused) {
      if (wantsPassword(refused)) await refresh();
      // Another tab has done it, or an answer was lost.
      if ((refused as Partial<ApiError>).code !== 'not_found') throw refused;
    }
    await tell(words.accountUnlinked(title(provider)));
  };
  const linked = data ? linkedProviders(data) : [];
  const hasNothing = offered?.length === 0 && linked.length === 0 && !isBack;
  if (hasNothing && !said?.text && refusal === undefined) return null;
  return createElement(
    'section',
    { ...part('root'), 'aria-label': words.accounts },
    createElement('h2', part('heading'), words.accounts),
    createElement(
      'p',
      { ...part('note'), role: 'status', tabIndex: -1, ref: status as never },
      said?.text,
    ),
    alert(part, refusal ?? (error === undefined ? undefined : wordsFor(error, texts))),
    error !== undefined && button(part, texts.again, { onClick: () => void refresh() }),
    !data && error === undefined && createElement('p', part('note'), texts.loading),
    isBack &&
      createElement(LinkEnd, {
        ...{ part, words, providers },
        onLinked: (name) => {
          setBack(false);
          void tell(words.accountLinked(name));
        },
        onEnd: (why) => {
          setBack(false);
          void tell('', why);
        },
      }),
    data &&
      linked.length > 0 &&
      createElement(
        'ul',
        part('list'),
        linked.map((name) =>
          createElement(
            'li',
            { key: name },
            createElement(
              'details',
              part('details'),
              createElement('summary', part('summary'), title(name)),
              createElement(Change, {
                ...{ part, words, title: words.accountUnlink(title(name)) },
                ...{ asksPassword: hasPassword(data), act: unlink(name) },
              }),
            ),
          ),
        ),
      ),
    data &&
      !isBack &&
      createElement(ProviderButtons, { part, words, providers, linked, email: data.email }),
  );
}
