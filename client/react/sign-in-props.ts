import type { Entered } from '../auth.ts';
import type { Providers } from '../providers.ts';
import type { Links } from './mailed-link.ts';
import type { Look } from './style.ts';

/** What signs in with an e-mail. */
const byEmail = ['code', 'password', 'link'] as const;
export type ByEmail = (typeof byEmail)[number];
type Method = ByEmail | 'passkey' | 'identity' | 'provider';
export const isByEmail = (method: Method): method is ByEmail => byEmail.includes(method as ByEmail);

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
   * The result of `createProviders`, if `methods` has `provider`: a button for each provider. The page of its
   * `returnUrl` shows this component, which then completes the sign-in.
   */
  signInProviders?: Providers | undefined;
  /**
   * The result of `createLinks`, if `methods` has `link`. The links of mails lead to the page that shows this
   * component.
   */
  links?: Links | undefined;
  /** Whether it offers to create an account too. The project must have `sign_up` enabled. */
  signUp?: boolean | undefined;
  /** Called when the user is signed in. */
  onSignedIn?: ((result: Entered) => void) | undefined;
};
