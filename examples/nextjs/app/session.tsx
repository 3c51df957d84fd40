'use client';

import { createCookieAuth } from 'identity-workspace-client/cookie-session';
import { AuthProvider, useAuth, useSession } from 'identity-workspace-client/react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';

/** Provides the session to the components in the browser, and reloads the page's data after a sign-in or a sign-out. */
export function Session({ children }: { children: ReactNode }) {
  const [auth] = useState(() => createCookieAuth());
  const router = useRouter();
  useEffect(() => auth.onChange(() => router.refresh()), [auth, router]);
  return <AuthProvider auth={auth}>{children}</AuthProvider>;
}

/** Hides content for a signed-in user as soon as the session ends in this browser, before its cookie is deleted. */
export function SignedIn({ children }: { children: ReactNode }) {
  return useSession().status === 'signed_out' ? null : children;
}

/**
 * Reloads the page's data once if the server found no user but the browser has a session: the access token in the
 * cookie has expired since the last visit.
 */
export function Renew() {
  const auth = useAuth();
  const router = useRouter();
  const isSignedIn = useSession().status === 'signed_in';
  useEffect(() => {
    if (!isSignedIn) return;
    // If the request fails, the next page tries again.
    auth.getAccessToken().then(
      (token) => token && router.refresh(),
      () => {},
    );
  }, [auth, router, isSignedIn]);
  return null;
}
