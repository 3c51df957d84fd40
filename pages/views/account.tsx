import { useState } from 'preact/hooks';
import type { User, UserDeletion } from '../../client/generated/api.ts';
import type { View } from '../view.ts';
import { Data } from './account/data.tsx';
import { Deletion, Receipt } from './account/deletion.tsx';
import { Email } from './account/email.tsx';
import { Identities } from './account/identities.tsx';
import { Password } from './account/password.tsx';
import { Profile } from './account/profile.tsx';
import { Sessions } from './account/sessions.tsx';

export const view: View = { title: 'account', for: 'user', Show: Account };

function Account({ user }: { user: User }) {
  const [receipt, setReceipt] = useState<UserDeletion>();
  if (receipt) return <Receipt receipt={receipt} />;
  return (
    <>
      <Profile user={user} />
      <Email user={user} />
      <Password user={user} />
      <Identities user={user} />
      <Sessions user={user} />
      <Data user={user} />
      <Deletion user={user} onDeleted={setReceipt} />
    </>
  );
}
