import { useEffect, useState } from 'preact/hooks';
import type { User, UserDeletion } from '../../client/generated/api.ts';
import { loadPasskeyTexts } from '../texts.ts';
import type { View } from '../view.ts';
import { Data } from './account/data.tsx';
import { Deletion, Receipt } from './account/deletion.tsx';
import { Email } from './account/email.tsx';
import { Password } from './account/password.tsx';
import { Profile } from './account/profile.tsx';
import { Sessions } from './account/sessions.tsx';
import type { SignInMethods } from './account/sign-in-methods.tsx';

export const view: View = { title: 'account', for: 'user', Show: Account };

function Account({ user }: { user: User }) {
  const [receipt, setReceipt] = useState<UserDeletion>();
  const [Methods, setMethods] = useState<typeof SignInMethods>();
  useEffect(() => {
    void Promise.all([import('./account/sign-in-methods.tsx'), loadPasskeyTexts()]).then(([part]) =>
      setMethods(() => part.SignInMethods),
    );
  }, []);
  if (receipt) return <Receipt receipt={receipt} />;
  return (
    <>
      <Profile user={user} />
      <Email user={user} />
      <Password user={user} />
      {Methods && <Methods user={user} />}
      <Sessions user={user} />
      <Data user={user} />
      <Deletion user={user} onDeleted={setReceipt} />
    </>
  );
}
