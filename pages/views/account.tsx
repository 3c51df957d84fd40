import { useState } from 'preact/hooks';
import type { User, UserDeletion } from '../../client/generated/api.ts';
import { project } from '../project.ts';
import { loadAccountTexts } from '../texts/account.ts';
import { loadKeyTexts } from '../texts/api-keys.ts';
import { loadPasswordTexts } from '../texts/passwords.ts';
import { loadFactorTexts, loadPasskeyTexts } from '../texts.ts';
import { Later } from '../ui/later.tsx';
import type { View } from '../view.ts';
import { Data } from './account/data.tsx';
import { Deletion, Receipt } from './account/deletion.tsx';
import { Email } from './account/email.tsx';
import { Password } from './account/password.tsx';
import { Profile } from './account/profile.tsx';

export const view: View = {
  title: 'account',
  for: 'user',
  loadTexts: () => Promise.all([loadAccountTexts(), loadPasswordTexts()]),
  Show: Account,
};

const loadMethods = async () => {
  const [part] = await Promise.all([import('./account/sign-in-methods.tsx'), loadPasskeyTexts()]);
  return part.SignInMethods;
};
const loadFactor = async () => {
  const [part] = await Promise.all([import('./account/second-factor.tsx'), loadFactorTexts()]);
  return part.SecondFactor;
};
const loadSessions = async () => (await import('./account/sessions.tsx')).Sessions;
const loadKeys = async () => {
  const [part] = await Promise.all([import('./account/own-keys.tsx'), loadKeyTexts()]);
  return part.OwnKeys;
};

function Account({ user }: { user: User }) {
  const [receipt, setReceipt] = useState<UserDeletion>();
  if (receipt) return <Receipt receipt={receipt} />;
  return (
    <>
      <Profile user={user} />
      <Email user={user} />
      <Password user={user} />
      <Later load={loadMethods} of={{ user }} />
      {project.mfa !== 'off' && <Later load={loadFactor} of={{ user }} />}
      <Later load={loadSessions} of={{ user }} />
      <Later load={loadKeys} of={{ user }} />
      <Data user={user} />
      <Deletion user={user} onDeleted={setReceipt} />
    </>
  );
}
