import { createElement, Fragment, type ReactNode, useEffect, useState } from 'react';
import type { OfferedProvider, Providers } from '../providers.ts';
import { alert, button, useAction } from './form.ts';
import type { PartProps } from './later.ts';
import { providerFailure } from './provider-failure.ts';
import { useProvided } from './session.ts';

type ProviderButtonsProps = PartProps & {
  providers: Providers;
  /** The typed e-mail, or that of the user who links an account: the provider suggests it. */
  email: string;
  /** When a user links an account: the names of the providers at which they already have one. */
  linked?: readonly string[] | undefined;
};

/**
 * A text that may go into the address of a provider. Keeps out a password that was typed into the wrong field, and more
 * characters than the service accepts.
 */
const isEmail = /^(?=.{3,320}$)[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Leaves the page for a provider, to sign in or to link an account: a button for each that the project offers. */
export function ProviderButtons(props: ProviderButtonsProps): ReactNode {
  const { part, words, providers, email, linked } = props;
  const { texts } = useProvided();
  const [offers, setOffers] = useState<OfferedProvider[]>();
  const [tries, setTries] = useState(0);
  const { run, busy, words: failureText, wrong } = useAction(words.errors);
  useEffect(() => {
    void run(async () => setOffers(await providers.offered()));
  }, [providers, tries]);
  /** It stays while it runs, and with it the focus. */
  const canRetry = failureText !== undefined || tries > 0;
  const leave = (provider: string) =>
    run(async () => {
      try {
        // The page may be shown again as it was left: the button is then one to click.
        const hint = { loginHint: isEmail.test(email) ? email : undefined };
        await (linked ? providers.link(provider, hint) : providers.signIn(provider, hint));
      } catch (error) {
        throw providerFailure(error, words, texts, linked && words.accountRefused);
      }
    });
  return createElement(
    Fragment,
    null,
    alert(part, failureText ?? wrong('provider')),
    offers
      ? offers
          .filter(({ name }) => !linked?.includes(name))
          .map(({ name, title }) =>
            button(part, (linked ? words.accountLink : texts.continueWith)(title), {
              busy,
              onClick: () => leave(name),
            }),
          )
      : canRetry && button(part, texts.again, { busy, onClick: () => setTries(tries + 1) }),
  );
}
