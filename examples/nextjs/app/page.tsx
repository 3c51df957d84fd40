import { SignIn, UserButton } from 'identity-workspace-client/react';
import { currentUser } from '../session';
import { Renew, SignedIn } from './session';

export default async function Page() {
  const user = await currentUser();
  return (
    <>
      <h1>Notes</h1>
      <UserButton />
      <SignIn />
      {user ? (
        <SignedIn>
          <p>The server has rendered this for {user.email}.</p>
        </SignedIn>
      ) : (
        <Renew />
      )}
    </>
  );
}
