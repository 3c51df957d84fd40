import { createElement, type ReactNode, useEffect, useState } from 'react';
import { keptIn, linkEntry } from '../history-entry.ts';
import { later } from './later.ts';
import { onFragment, pageOf } from './page.ts';
import { useSession } from './session.ts';
import { SignInForm } from './sign-in-form.ts';
import type { SignInProps } from './sign-in-props.ts';
import { partOf } from './style.ts';

const OpenedMailedLink = later(
  async () => (await import('./opened-mailed-link.ts')).OpenedMailedLink,
);
const ProviderReturn = later(async () => (await import('./provider-return.ts')).ProviderReturn);

/**
 * Signs in or up by a mailed code or link, by password, with a passkey or at an identity provider. Shows nothing to a
 * signed-in user, unless they have opened a link or come back from a provider.
 */
export function SignIn(props: SignInProps): ReactNode {
  const { methods = [], links, signInProviders, onSignedIn, className } = props;
  const { status } = useSession();
  const [isOpened, setOpened] = useState(false);
  const [isReturned, setReturned] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  useEffect(() => {
    if (!links) return undefined;
    const checkLink = () => {
      const isLink = /[#&]token=.*&link_id=/.test(pageOf().location.hash);
      if (isLink || keptIn(linkEntry)) setOpened(true);
    };
    checkLink();
    return onFragment(checkLink);
  }, [!links]);
  useEffect(() => {
    if (signInProviders?.returnedFrom() === 'signIn') setReturned(true);
  }, [signInProviders]);
  useEffect(() => {
    // It was said, or is nothing to who is in already, nor to who signs out later.
    if (status === 'signed_in') setRefusal(undefined);
  }, [status, refusal]);
  const commonProps = {
    part: partOf({ className }),
    passkey: methods.includes('passkey'),
    onSignedIn,
  };
  if (status === 'loading') return null;
  if (isOpened && links)
    return createElement(OpenedMailedLink, {
      ...commonProps,
      links,
      onEnd: () => setOpened(false),
    });
  if (isReturned && signInProviders)
    return createElement(ProviderReturn, {
      ...commonProps,
      providers: signInProviders,
      onEnd: (why?: unknown) => {
        setRefusal(why);
        setReturned(false);
      },
    });
  return status === 'signed_out' && createElement(SignInForm, { ...props, refusal });
}
