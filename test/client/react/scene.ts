import { createElement, type FunctionComponent, type ReactNode, StrictMode } from 'react';
import { afterEach } from 'vitest';
import { type Auth, type AuthOptions, createAuth } from '../../../client/auth.ts';
import type { CookieAuth } from '../../../client/cookie-session.ts';
import { AuthProvider, type english, useUser } from '../../../client/react.ts';
import { openPage } from '../../support/react-page.ts';

type Session = Auth | CookieAuth;

/** The e-mail of the signed-in user. */
export const User: FunctionComponent = () => useUser()?.email;

/** Components with the session around them. */
export const within = (auth: Session, children: ReactNode, texts?: typeof english) =>
  createElement(
    StrictMode,
    null,
    createElement(AuthProvider, { auth, ...(texts && { texts }) }, children),
  );

/** A page with components of a project, and the sessions that each test opens. */
export async function reactScene(url: string) {
  const page = await openPage();
  const opened: Auth[] = [];
  afterEach(async () => {
    // The next test's tabs must not find this test's session.
    await Promise.all(opened.map((auth) => auth.signOut()));
    for (const auth of opened.splice(0)) auth.close();
  });
  return {
    page,
    open(projectId: string, options: Partial<AuthOptions> = {}): Auth {
      const auth = createAuth({ url, projectId, ...options });
      opened.push(auth);
      return auth;
    },
    show: (...inside: Parameters<typeof within>) => page.show(within(...inside)),
  };
}
