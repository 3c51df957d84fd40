import { randomUUID } from 'node:crypto';
import { keys } from '../../../shared/db/keys.ts';
import { tokenIn } from '../invitations.ts';
import { guessedAt } from '../limits.ts';
import { preparedAccount } from '../prepared.ts';
import { goodPassword, type SignIn } from '../sign-in.ts';
import type { Person, World } from '../world.ts';
import { useCaptchas } from './captcha.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;
type Callers = {
  anyone: (path: string, body: object) => Promise<Record<string, never>>;
  asBackEnd: Call;
  asPerson: (
    person: Pick<Person, 'uid' | 'project'>,
    ...call: Parameters<Call>
  ) => ReturnType<Call>;
};

/** Verifies, in every way, the e-mail of an account that an attacker may have prepared; and deletes one. */
export async function useProofs(
  world: World,
  home: SignIn,
  { anyone, asBackEnd, asPerson }: Callers,
): Promise<void> {
  await useCaptchas(world);
  let accounts = 0;
  const prepared = () => preparedAccount(world, home, `prepared${(accounts += 1)}@example.com`);

  const byCode = await prepared();
  const { challenge_id } = await anyone('/codes', { email: byCode.email });
  await anyone('/sessions/code', { challenge_id, code: await home.mailed(byCode.email) });

  const byLink = await prepared();
  await anyone('/links', { email: 'asked@example.com', challenge: 'x'.repeat(43) });
  for (const email of [byLink.email, byLink.email, 'linked@example.com']) {
    const { verifier, ...link } = await home.link(email);
    await anyone('/links/code', link);
    await anyone('/sessions/link', { ...link, verifier });
  }
  const unknown = { link_id: randomUUID(), token: 'x'.repeat(43), verifier: 'x'.repeat(43) };
  await anyone('/sessions/link', unknown);

  const byPassword = await prepared();
  await anyone('/passwords/forgotten', { email: byPassword.email });
  const password = `${goodPassword}!`;
  await anyone('/passwords', { token: await home.mailed(byPassword.email), password });

  const byVerification = await prepared();
  await asPerson(byVerification.people.project, 'POST', '/users/me/email/verification');
  const token = await home.mailed(byVerification.email);
  await asPerson(byVerification.people.project, 'POST', '/users/me/email/confirmation', { token });

  const byInvitation = await prepared();
  const owner = await world.user({ project: home.project, email: 'host@example.com' });
  const made = await asBackEnd('POST', '/workspaces', { name: 'Acme', owner_id: owner.uid });
  await asBackEnd('POST', `/workspaces/${made['workspace_id']}/invitations`, {
    ...{ email: byInvitation.email, role: 'member' },
  });
  const mail = await home.mailTo(byInvitation.email);
  await asBackEnd('POST', '/invitations/accept', { token: tokenIn(mail?.text) });

  const byWord = await prepared();
  await asBackEnd('POST', '/users', { email: byWord.email, email_verified: true });

  const leaving = await prepared();
  const gone = { current_password: goodPassword };
  const account = { project_id: home.project_id, email: leaving.email };
  await guessedAt(world, account);
  await anyone('/sessions/password', { email: leaving.email, password: 'wrong' });
  await guessedAt(world, account);
  const guess = { current_password: 'wrong' };
  const lockedBy: [method: string, path: string, body?: object][] = [
    ['PUT', '/users/me/password', { new_password: `${goodPassword}!` }],
    ['POST', '/users/me/email', { email: 'elsewhere@example.com' }],
    ['POST', '/users/me/identities', { provider: 'google', id_token: 'x.y.z' }],
    ['DELETE', '/users/me/identities/google'],
  ];
  for (const [method, path, body] of lockedBy) {
    await asPerson(leaving.people.project, method, path, { ...body, ...guess });
    await guessedAt(world, account);
  }
  await asPerson(leaving.people.project, 'DELETE', `/users/${leaving.uid}`, guess);
  await world.table.delete(keys.passwordTries(account));
  await asPerson(leaving.people.project, 'DELETE', `/users/${leaving.uid}`, gone);
}
