import { SignIn, UserButton } from 'identity-workspace-client/react';
import { currentSession } from '../session';
import { RenderedFor } from './session';

export default async function Page() {
  const session = await currentSession();
  return (
    <RenderedFor uid={session?.user.sub}>
      <h1>Notes</h1>
      <UserButton />
      <SignIn signUp />
      {session && <p>The server has rendered this for {session.user.email}.</p>}
    </RenderedFor>
  );
}
