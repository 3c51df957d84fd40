import { createAuth } from 'identity-workspace-client';
import { showCaptcha as captcha } from 'identity-workspace-client/captcha';
import { createLinks } from 'identity-workspace-client/links';
import { createProviders } from 'identity-workspace-client/providers';
import {
  AcceptInvitation,
  AuthProvider,
  LinkedAccounts,
  SecondFactor,
  Sessions,
  SignIn,
  UserButton,
  UserProfile,
  useSession,
} from 'identity-workspace-client/react';
import { createRedirect } from 'identity-workspace-client/redirect';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Workspaces } from './workspaces.tsx';

const { VITE_SERVICE_URL: url = 'http://localhost:3000', VITE_PROJECT_ID: projectId = 'demo' } =
  import.meta.env;
const methods = (import.meta.env.VITE_METHODS ?? 'code,password').split(',');
/** One for the whole page. See the guide on what 'session' means for an injected script. */
const auth = createAuth({ url, projectId, storage: 'session', captcha });
const redirectUri = `${location.origin}/callback`;
const links = createLinks({ url, projectId, auth, captcha });
const providers = createProviders({ url, projectId, auth, returnUrl: `${location.origin}/` });
const ownProviders = methods.includes('provider') ? providers : undefined;
const hosted = createRedirect({ url, clientId: `${projectId}.web`, redirectUri, auth });

/** Invitations lead to /join, hosted pages to /callback; providers and links to /, also who is signed in by now. */
function App() {
  const { status } = useSession();
  const [failure, setFailure] = useState<Error>();
  const signIn = () => void hosted.signIn({ state: location.href }).catch(setFailure);
  const pages: Record<string, ReactNode> = {
    '/join': <AcceptInvitation onAccepted={() => location.assign('/')} />,
    '/callback': <Callback />,
    '/account': status === 'signed_in' && [<SecondFactor key="factor" />, <Sessions key="list" />],
    '/profile': status === 'signed_in' && <UserProfile providers={ownProviders} />,
  };
  const home = (
    <>
      <SignIn signUp methods={methods} links={links} signInProviders={providers} />
      {status === 'signed_out' && (
        <button type="button" onClick={signIn}>
          Sign in on the service's own page
        </button>
      )}
      {status === 'signed_out' && failure && <p role="alert">{failure.message}</p>}
      {status === 'signed_in' && <Workspaces />}
      {ownProviders && <LinkedAccounts providers={ownProviders} />}
    </>
  );
  return (
    <>
      <header>
        <h1>Engines</h1>
        <UserButton />
      </header>
      <main>{pages[location.pathname] || home}</main>
    </>
  );
}

/** Takes the session from the hosted pages of the service, and goes on to where the sign-in began. */
function Callback() {
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    hosted.finish().then((entered) => location.replace(entered?.state ?? '/'), setFailure);
  }, []);
  return failure ? <p role="alert">That did not work: {failure.message}</p> : <p>Signing in…</p>;
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <AuthProvider auth={auth}>
      <App />
    </AuthProvider>
  </StrictMode>,
);
