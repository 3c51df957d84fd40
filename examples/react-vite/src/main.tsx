import { createAuth } from 'identity-workspace-client';
import {
  AcceptInvitation,
  AuthProvider,
  SignIn,
  UserButton,
  useSession,
} from 'identity-workspace-client/react';
import { createRedirect } from 'identity-workspace-client/redirect';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Callback, HostedSignIn } from './hosted.tsx';
import { Workspaces } from './workspaces.tsx';

const { VITE_SERVICE_URL: url = 'http://localhost:3000', VITE_PROJECT_ID: projectId = 'demo' } =
  import.meta.env;
/** One for the whole page. See the guide on what 'session' means for an injected script. */
const auth = createAuth({ url, projectId, storage: 'session' });
const redirectUri = `${location.origin}/callback`;
const hosted = createRedirect({ url, clientId: `${projectId}.web`, redirectUri, auth });

/** The link of an invitation leads to /join, the hosted pages to /callback; every other page needs a user. */
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
        {!page && status === 'signed_out' && <SignIn signUp />}
        {!page && status === 'signed_out' && <HostedSignIn hosted={hosted} />}
        {!page && status === 'signed_in' && <Workspaces />}
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
