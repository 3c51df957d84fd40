'use client';

import { createCookieAuth } from 'identity-workspace-client/cookie-session';
import { AuthProvider, useAuth, useSession } from 'identity-workspace-client/react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';

/** The browser's half of the session. What the server has rendered is asked for again when somebody signs in or out. */
export function Session({ children }: { children: ReactNode }) {
  const [auth] = useState(() => createCookieAuth());
  const router = useRouter();
  useEffect(() => auth.onChange(() => router.refresh()), [auth, router]);
  return <AuthProvider auth={auth}>{children}</AuthProvider>;
}

/** What the server has rendered for a user goes at once when the session ends here; its cookie ends a moment later. */
export function SignedIn({ children }: { children: ReactNode }) {
  return useSession().status === 'signed_out' ? null : children;
}

/**
 * Asks for the page again, once, where the server saw nobody: the access token in the cookie has expired since the last
 * visit.
 */
export function Renew() {
  const auth = useAuth();
  const router = useRouter();
  const isSignedIn = useSession().status === 'signed_in';
  useEffect(() => {
    if (!isSignedIn) return;
    // Without an answer the next page asks.
    auth.getAccessToken().then(
      (token) => token && router.refresh(),
      () => {},
    );
  }, [auth, router, isSignedIn]);
  return null;
}
