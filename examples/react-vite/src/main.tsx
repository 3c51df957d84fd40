import { createAuth } from 'identity-workspace-client';
import {
  AcceptInvitation,
  AuthProvider,
  SecondFactor,
  SignIn,
  type SignInProps,
  UserButton,
  useSession,
} from 'identity-workspace-client/react';
import { createLinks } from 'identity-workspace-client/links';
import { createRedirect } from 'identity-workspace-client/redirect';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Callback, HostedSignIn } from './hosted.tsx';
import { Workspaces } from './workspaces.tsx';

const {
  VITE_SERVICE_URL: url = 'http://localhost:3000',
  VITE_PROJECT_ID: projectId = 'demo',
  // Links and passkeys too, where the project has them: code,password,link,passkey
  VITE_METHODS: chosen = 'code,password',
} = import.meta.env;
/** One for the whole page. See the guide on what 'session' means for an injected script. */
const auth = createAuth({ url, projectId, storage: 'session' });
const redirectUri = `${location.origin}/callback`;
const methods = chosen.split(',') as NonNullable<SignInProps['methods']>;
const links = createLinks({ url, projectId, auth });
const hosted = createRedirect({ url, clientId: `${projectId}.web`, redirectUri, auth });

/** The link of an invitation leads to /join, the hosted pages to /callback; every other page needs a user. Mailed links to sign in lead to /link. */
function App() {
  const { status } = useSession();
  const pages: Record<string, ReactNode> = {
    '/join': <AcceptInvitation onAccepted={() => location.assign('/')} />,
    '/callback': <Callback hosted={hosted} />,
  };
  const page = pages[location.pathname];
  return (
    <>
      <header>
        <h1>Engines</h1>
        <UserButton />
      </header>
      <main>
        {page}
        {!page && status === 'loading' && <p>Loading…</p>}
        {!page && (status === 'signed_out' || location.pathname === '/link') && (
          <SignIn
            signUp
            methods={methods}
            links={links}
            onSignedIn={() => location.pathname === '/link' && location.assign('/')}
          />
        )}
        {!page && status === 'signed_out' && <HostedSignIn hosted={hosted} />}
        {!page && status === 'signed_in' && location.pathname === '/account' && (
          <SecondFactor methods={methods.includes('passkey') ? ['app', 'passkey'] : ['app']} />
        )}
        {!page && status === 'signed_in' && location.pathname === '/' && <Workspaces />}
      </main>
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <AuthProvider auth={auth}>
      <App />
    </AuthProvider>
  </StrictMode>,
);
