/** Of each `state` here, so that what other servers answer to this page is left to who has asked them, and this to us. */
export const statePrefix = 'provider.';

/** A way to a provider that this tab has begun. The verifier is worth nothing without the code, nor that without it. */
export type Way = {
  state: string;
  verifier: string;
  provider: string;
  /** Where its answer is taken. One that was begun before 0.14.0 does not say it. */
  returnUrl?: string | undefined;
  /** The user to whom the account is linked; else somebody signs in. */
  linkTo?: string | undefined;
  /** What the page wants to have again. */
  own?: string | undefined;
};

/** Ways that a tab may have begun and not ended; of more, the oldest begins again. */
const most = 5;

/**
 * Remembers the ways of this tab while its page is away: in `sessionStorage`, so that no other tab ends one. When they
 * end by time is the service's to say.
 */
export function rememberWays(projectId: string) {
  const name = `providers ${projectId}`;

  /** The newest first. */
  function read(): Way[] {
    try {
      const all: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
      return Array.isArray(all) ? (all as Way[]) : [];
    } catch {
      return [];
    }
  }
  const write = (all: Way[]): void =>
    sessionStorage.setItem(name, JSON.stringify(all.slice(0, most)));

  return {
    /** @throws what the storage throws, where it is full or blocked */
    keep: (way: Way): void => write([way, ...read()]),
    /** The way that an answer belongs to. */
    find: (state: string): Way | undefined => read().find((each) => each.state === state),
    /** It is answered once. */
    drop({ state }: Way): void {
      try {
        write(read().filter((each) => each.state !== state));
      } catch {
        // The service takes its code once.
      }
    },
  };
}
