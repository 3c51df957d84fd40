'use client';

import { createCookieAuth } from 'identity-workspace-client/cookie-session';
import { AuthProvider, useSession } from 'identity-workspace-client/react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';

const auth = createCookieAuth();

/** Gives the session to the components in the browser. */
export function Session({ children }: { children: ReactNode }) {
  return <AuthProvider auth={auth}>{children}</AuthProvider>;
}

/**
 * Around what the server has rendered for a user, or for nobody: renders it again once somebody else is signed in, as
 * after a sign-in or a sign-out, also in another tab. A user's part is hidden at once.
 */
export function RenderedFor({ uid, children }: { uid: string | undefined; children: ReactNode }) {
  const router = useRouter();
  const { status, uid: signedIn } = useSession();
  const isOld = status !== 'loading' && signedIn !== uid;
  useEffect(() => {
    if (isOld) router.refresh();
  }, [isOld, router]);
  return isOld && uid ? null : children;
}
