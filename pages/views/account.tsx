import { useEffect, useState } from 'preact/hooks';
import type { User, UserDeletion } from '../../client/generated/api.ts';
import { project } from '../project.ts';
import type { View } from '../view.ts';
import { Data } from './account/data.tsx';
import { Deletion, Receipt } from './account/deletion.tsx';
import { Email } from './account/email.tsx';
import { Identities } from './account/identities.tsx';
import type { Passkeys as PasskeysPart } from './account/passkeys.tsx';
import { Password } from './account/password.tsx';
import { Profile } from './account/profile.tsx';
import { Sessions } from './account/sessions.tsx';

export const view: View = { title: 'account', for: 'user', Show: Account };

function Account({ user }: { user: User }) {
  const [receipt, setReceipt] = useState<UserDeletion>();
  const [Passkeys, setPasskeys] = useState<typeof PasskeysPart>();
  useEffect(() => {
    // A file of its own: most of it is for who has a passkey, and the page comes before it.
    if (project.methods.passkey)
      void import('./account/passkeys.tsx').then((part) => setPasskeys(() => part.Passkeys));
  }, []);
  if (receipt) return <Receipt receipt={receipt} />;
  return (
    <>
      <Profile user={user} />
      <Email user={user} />
      <Password user={user} />
      {Passkeys && <Passkeys user={user} />}
      <Identities user={user} />
      <Sessions user={user} />
      <Data user={user} />
      <Deletion user={user} onDeleted={setReceipt} />
    </>
  );
}
