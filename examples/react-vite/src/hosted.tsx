import type { Redirect } from 'identity-workspace-client/redirect';
import { useEffect, useState } from 'react';

/** Takes the session from the hosted pages of the service, and goes on to where the sign-in began. */
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

/** Leads to the hosted pages, or says why not: a browser that keeps nothing for this page could not come back. */
export function HostedSignIn({ hosted }: { hosted: Redirect }) {
  const [failure, setFailure] = useState('');
  const signIn = () =>
    hosted.signIn({ state: location.pathname }).catch((error: Error) => setFailure(error.message));
  return (
    <>
      <button type="button" onClick={() => void signIn()}>
        Sign in on the service's own page
      </button>
      {failure !== '' && <p role="alert">That did not work: {failure}</p>}
    </>
  );
}
