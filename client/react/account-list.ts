import { createElement, type ReactNode, useEffect, useState } from 'react';
import { type OfferedProvider, titleOf } from '../providers/title.ts';
import type { Providers } from '../providers.ts';
import { linkedProviders } from '../sign-in-methods.ts';
import { useAnnouncement } from './announcement.ts';
import { useAsksPassword } from './asks-password.ts';
import { ChangeForm } from './change-form.ts';
import type { PartProps } from './later.ts';
import { LinkEnd } from './link-end.ts';
import { listState } from './list-state.ts';
import { useMe } from './me.ts';
import { ProviderButtons } from './provider-buttons.ts';
import { useProvided } from './session.ts';
import { unlessGone } from './unless-gone.ts';

/** The linked accounts of the signed-in user, each with a button to unlink it, and those that could be linked. */
export function AccountList({
  part,
  words,
  providers,
}: PartProps & { providers: Providers }): ReactNode {
  const { auth, texts } = useProvided();
  const { announcement, announce } = useAnnouncement(part);
  const [isBack, setBack] = useState(() => providers.returnedFrom() === 'link');
  const [refusal, setRefusal] = useState(() =>
    providers.returnedFrom() !== undefined && providers.returnedBy() === undefined
      ? words.providerElsewhere
      : undefined,
  );
  const [offers, setOffers] = useState<readonly OfferedProvider[]>();
  const me = useMe();
  const { data, refresh } = me;
  const asksPassword = useAsksPassword(data) ?? false;
  useEffect(() => {
    // The signed-in user has seen it.
    if (refusal === words.providerElsewhere) providers.forget();
  }, []);
  useEffect(() => {
    // The buttons say it where it fails.
    void providers.offered().then(setOffers, () => undefined);
  }, [providers]);
  const title = (name: string) =>
    offers?.find((each) => each.name === name)?.title ?? titleOf(name);
  const tell = async (text: string, why?: string) => {
    // Also after a failure: an answer that was lost may have changed the list.
    await refresh();
    setBack(false);
    setRefusal(why);
    announce(text);
  };
  const unlink = (provider: string) => async (_: object, current_password?: string) => {
    await auth.api.identities.unlink({ provider, current_password }).catch(unlessGone);
    await tell(words.accountUnlinked(title(provider)));
  };
  const linked = data ? linkedProviders(data) : [];
  const hasNothing = offers?.length === 0 && data && linked.length === 0;
  if (hasNothing && !isBack && refusal === undefined) return null;
  return createElement(
    'section',
    { ...part('root'), 'aria-label': words.accounts },
    createElement('h2', part('heading'), words.accounts),
    announcement,
    ...listState(part, texts, me, refusal),
    isBack &&
      createElement(LinkEnd, {
        part,
        words,
        providers,
        onLinked: (name) => tell(words.accountLinked(name)),
        onEnd: (why) => tell('', why),
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
              createElement(ChangeForm, {
                part,
                words,
                title: words.accountUnlink(title(name)),
                asksPassword,
                act: unlink(name),
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
