import type { Routes, UserClient } from '../client.ts';
import type { Listener, SignedIn } from '../listeners.ts';
import type { TokenOptions } from '../reserve.ts';

/**
 * What both sessions of a page have. These are interfaces: an application that emits declarations cannot name the parts
 * of an inferred type.
 */
export interface PageSession {
  /** The signed-in user; the same object until the user changes. */
  readonly session: SignedIn | null;
  /** Calls the listener after every change, and returns what stops that. */
  onChange: (listener: Listener) => () => void;
  /** Every operation that a user may call, as the user, whose token is renewed when it has to be. */
  api: UserClient;
  /** Operations that few pages need, as the user, such as those of the entry `./factors`. */
  extend: (routes: Routes) => Record<string, object>;
  /**
   * An access token for your own backend, mostly good for at least 30 seconds; undefined: nobody is signed in. Throws an
   * `AbortError` where another user has just signed in than the page shows.
   */
  getAccessToken: (options?: TokenOptions) => Promise<string | undefined>;
  /** Lets go of listeners and other tabs. The session stays as it is. */
  close(): void;
  /** Aborted by `close`, where the session itself tries again: then nothing does any more. */
  readonly closed?: AbortSignal;
}
