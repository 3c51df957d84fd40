import type { User } from '../../../client/generated/api.ts';
import { project } from '../../project.ts';
import { Identities } from './identities.tsx';
import { Passkeys } from './passkeys.tsx';

/** The ways to sign in beside the password. A file of its own: the page comes before it. */
export function SignInMethods({ user }: { user: User }) {
  return (
    <>
      {project.methods.passkey && <Passkeys user={user} />}
      <Identities user={user} />
    </>
  );
}
