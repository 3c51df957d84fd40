import type { Entered, PageAuth } from '../auth.ts';
import type { Fetch } from '../call.ts';
import type { User } from '../generated/api.ts';
import type { OfferedProvider } from './title.ts';

export type ProvidersOptions = {
  /** The base URL of the service. */
  url: string;
  projectId: string;
  /** The page that calls `finish`: one of the project's `return_urls`, character for character. */
  returnUrl: string;
  /** Gets the session, and links accounts to its user: an `Auth` or a `CookieAuth`. */
  auth: Pick<PageAuth, 'ready' | 'session' | 'getAccessToken' | 'onChange' | 'signIn' | 'api'>;
  /**
   * The providers to offer, with a title where people know one by another than its name. By default those of the
   * project: a project without hosted pages tells nobody, so name them.
   */
  names?: readonly (string | OfferedProvider)[] | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: Fetch | undefined;
};

export type LeaveOptions = {
  /** The e-mail that the provider suggests. */
  loginHint?: string | undefined;
  /** What the provider asks for, even if the user is signed in there. */
  prompt?: 'login' | 'select_account' | 'consent' | undefined;
  /** A value that `finish` returns, such as the path that the user came from. It does not leave the browser. */
  state?: string | undefined;
};

/** What `finish` sends along: the terms that a new user agrees to, and the password of a user who links an account. */
export type FinishInput = {
  agreed_terms?: { tos?: true; sign_up?: true } | undefined;
  current_password?: string | undefined;
};

/** The user who has signed in or linked an account; `from` is the method that had left the page. */
export type Finished = { provider: string; state: string | undefined } & (
  | ({ from: 'signIn' } & Entered)
  | { from: 'link'; user: User }
);
