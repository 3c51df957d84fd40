import type { Redirect } from 'identity-workspace-client/redirect';
import { useEffect, useState } from 'react';

/** Takes the session from the hosted pages of the service, and goes on to where the sign-in began. */
export function Callback({ hosted }: { hosted: Redirect }) {
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    hosted.finish().then((entered) => location.replace(entered?.state ?? '/'), setFailure);
  }, [hosted]);
  return failure ? <p role="alert">That did not work: {failure.message}</p> : <p>Signing in…</p>;
}
