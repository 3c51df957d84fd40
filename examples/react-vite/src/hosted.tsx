import type { Redirect } from 'identity-workspace-client/redirect';
import { useEffect, useState } from 'react';

/** The other way in: the hosted pages of the service, which need no form here and come back to /callback. */
export const HostedSignIn = ({ hosted }: { hosted: Redirect }) => (
  <button type="button" onClick={() => void hosted.signIn({ state: location.pathname })}>
    Sign in on the service's own page
  </button>
);

/** Takes the session, and goes on to where the sign-in began. */
export function Callback({ hosted }: { hosted: Redirect }) {
  const [failure, setFailure] = useState('');
  useEffect(() => {
    hosted.finish().then(
      (entered) => location.replace(entered?.state ?? '/'),
      (error: Error) => setFailure(error.message),
    );
  }, [hosted]);
  return failure === '' ? <p>Signing in…</p> : <p role="alert">That did not work: {failure}</p>;
}
