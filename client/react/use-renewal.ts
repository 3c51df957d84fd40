import { useProvided } from './session.ts';

/** Renews the user of the session after a change, and with that all lists. */
export function useRenewal(): () => Promise<unknown> {
  const { auth } = useProvided();
  return () =>
    auth
      .getAccessToken()
      .then((refused) => auth.getAccessToken({ refused }))
      // The change is made: a renewal that fails comes with the next one.
      .catch(() => {});
}
