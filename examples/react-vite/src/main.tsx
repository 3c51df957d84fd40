import { createAuth } from 'identity-workspace-client';
import {
  AcceptInvitation,
  AuthProvider,
  SignIn,
  UserButton,
  useSession,
} from 'identity-workspace-client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Workspaces } from './workspaces.tsx';

const { VITE_SERVICE_URL = 'http://localhost:3000', VITE_PROJECT_ID = 'demo' } = import.meta.env;
/** One for the whole page. See the guide on what 'session' means for an injected script. */
const auth = createAuth({ url: VITE_SERVICE_URL, projectId: VITE_PROJECT_ID, storage: 'session' });

/** The link of an invitation leads to /join; every other page needs somebody who is signed in. */
function App() {
  const { status } = useSession();
  const isJoining = location.pathname === '/join';
  return (
    <>
      <header>
        <h1>Engines</h1>
        <UserButton />
      </header>
      <main>
        {isJoining && <AcceptInvitation onAccepted={() => location.assign('/')} />}
        {!isJoining && status === 'loading' && <p>Loading…</p>}
        {!isJoining && status === 'signed_out' && <SignIn />}
        {!isJoining && status === 'signed_in' && <Workspaces />}
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
