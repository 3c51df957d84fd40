import { createElement, type ReactNode, useEffect, useState } from 'react';
import type { Entered } from './auth.ts';
import type { Providers } from './providers.ts';
import { later } from './react-later.ts';
import type { Links } from './react-link.ts';
import { onFragment, pageOf } from './react-page.ts';
import { useSession } from './react-session.ts';
import { SignInForm } from './react-sign-in-form.ts';
import { type Look, partOf } from './react-style.ts';

export type Method = 'code' | 'password' | 'link' | 'passkey' | 'identity' | 'provider';

const ByOpenedLink = later(async () => (await import('./react-opened-link.ts')).ByOpenedLink);
const Returned = later(async () => (await import('./react-returned.ts')).Returned);

/** An identity provider, and how your page signs in there, as with the provider's own script or in a window. */
export type IdentityProvider = {
  /** As the project knows it, such as `google`. */
  provider: string;
  /** As people know it. */
  title: string;
  /** Gets an ID token. Reject with an `AbortError` if the person has changed their mind, and nothing is said. */
  getIdToken: () => Promise<{ id_token: string; nonce?: string | undefined }>;
};

export type SignInProps = Look & {
  /** What is offered, the first one first. The project must have enabled it. */
  methods?: readonly Method[] | undefined;
  /** A button for each, where `methods` has `identity`. */
  providers?: readonly IdentityProvider[] | undefined;
  /**
   * What `createProviders` gave, where `methods` has `provider`: a button for each that it offers. The page of its
   * `returnUrl` shows this component, which then ends the sign-in.
   */
  signInProviders?: Providers | undefined;
  /** What `createLinks` gave, where `methods` has `link`. The links of mails lead to the page that shows this component. */
  links?: Links | undefined;
  /** Whether it offers to create an account too. The project must have `sign_up` enabled. */
  signUp?: boolean | undefined;
  /** Called once who signs in is signed in. */
  onSignedIn?: ((result: Entered) => void) | undefined;
};

/**
 * Signs in or up by a mailed code or link, by password, with a passkey or at an identity provider, and shows nothing to
 * who is signed in, unless they have opened a link or come back from a provider.
 */
export function SignIn(props: SignInProps): ReactNode {
  const { methods = [], links, signInProviders, onSignedIn, className } = props;
  const { status } = useSession();
  const [isOpened, setOpened] = useState(false);
  const [isReturned, setReturned] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  useEffect(() => {
    if (!links) return undefined;
    const look = () => {
      if (/[#&]link_id=/.test(pageOf().location.hash)) setOpened(true);
    };
    look();
    return onFragment(look);
  }, [links !== undefined]);
  useEffect(() => {
    if (signInProviders?.returnedFrom() === 'signIn') setReturned(true);
  }, [signInProviders]);
  const given = { part: partOf({ className }), passkey: methods.includes('passkey'), onSignedIn };
  if (isOpened && links && status !== 'loading')
    return createElement(ByOpenedLink, { ...given, links, onEnd: () => setOpened(false) });
  if (isReturned && signInProviders && status !== 'loading')
    return createElement(Returned, {
      ...{ ...given, providers: signInProviders },
      onEnd: (why?: unknown) => {
        setRefusal(why);
        setReturned(false);
      },
    });
  return status === 'signed_out' ? createElement(SignInForm, { ...props, refusal }) : null;
}
