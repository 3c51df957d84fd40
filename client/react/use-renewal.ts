import { useMe } from './me.ts';
import { useProvided } from './session.ts';

/** Renews what the page knows of the signed-in user after a change, also in what shows the user of the session. */
export function useRenewal(): () => Promise<void> {
  const { auth } = useProvided();
  const { refresh } = useMe();
  return async () => {
    const renewal = auth.getAccessToken().then((refused) => auth.getAccessToken({ refused }));
    // The change is made: a renewal that fails comes with the next one.
    await Promise.allSettled([renewal, refresh()]);
  };
}
