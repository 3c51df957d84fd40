/**
 * Begins each `state` of this module. So this module ignores responses of other servers to the same page, and code for
 * those servers can ignore ours.
 */
export const statePrefix = 'provider.';

/**
 * A sign-in at a provider that this tab has begun. Verifier and code are worth nothing without each other.
 */
export type PendingSignIn = {
  state: string;
  verifier: string;
  provider: string;
  /** The page that takes the response. Missing in a sign-in that was begun before 0.14.0. */
  returnUrl?: string | undefined;
  /** The user to whom the account is linked; undefined for a sign-in. */
  linkTo?: string | undefined;
  /** What the page wants to have again. */
  own?: string | undefined;
};

/** Sign-ins that a tab may have begun and not ended; of more, the oldest must begin again. */
const maxPending = 5;

/**
 * Remembers the pending sign-ins of this tab while its page is away: in `sessionStorage`, so that no other tab ends
 * one. The service decides when one expires.
 */
export function rememberPending(projectId: string) {
  const name = `providers ${projectId}`;

  /** The newest first. */
  function read(): PendingSignIn[] {
    try {
      const all: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
      return Array.isArray(all) ? (all as PendingSignIn[]) : [];
    } catch {
      return [];
    }
  }
  const write = (all: PendingSignIn[]): void =>
    sessionStorage.setItem(name, JSON.stringify(all.slice(0, maxPending)));

  return {
    /** @throws what the storage throws, where it is full or blocked */
    keep: (pending: PendingSignIn): void => write([pending, ...read()]),
    /** The sign-in that an answer belongs to. */
    find: (state: string): PendingSignIn | undefined => read().find((each) => each.state === state),
    /** It is answered once. */
    drop({ state }: PendingSignIn): void {
      try {
        write(read().filter((each) => each.state !== state));
      } catch {
        // The service takes its code once.
      }
    },
  };
}
