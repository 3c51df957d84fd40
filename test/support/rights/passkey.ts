import { keys } from '../../../shared/db/keys.ts';
import { limits } from '../../../shared/model/limits.ts';
import type { Authenticator } from '../authenticator.ts';
import { newAuthenticator } from '../authenticator.ts';
import { guessedAt } from '../limits.ts';
import { page, passkeyProject } from '../passkeys.ts';
import { goodPassword } from '../sign-in.ts';
import { sessionIdOf } from '../started.ts';
import type { World } from '../world.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Cold = (method: string, path: string, auth?: string, body?: unknown) => Promise<any>;
type Creation = { publicKey: Parameters<Authenticator['create']>[0] };
type Request = { publicKey: Parameters<Authenticator['get']>[0] };

/** Uses every right of the functions of passkeys, each on a cold instance. */
export async function usePasskeys(world: World, anew: () => void, cold: Cold): Promise<void> {
  const { project, project_id, signUp } = await passkeyProject(world);
  const account = { project_id, email: 'keys@passkeys.example.com' };
  const { uid } = await signUp(account.email);
  /** One more wrong password disables the password. */
  const guess = async (method: string, to: string) => {
    await guessedAt(world, account);
    await byAda(method, to, { current_password: 'wrong' });
    await world.table.delete(keys.passwordTries(account));
  };
  const authenticator = newAuthenticator(page);
  const path = '/users/me/passkeys';
  const fresh = async () => {
    anew();
    return world.session(uid, project);
  };
  const byAda = async (method: string, to: string, body?: object) => {
    const { bearer } = await fresh();
    anew();
    return cold(method, to, bearer, body);
  };
  /** Renews a challenge and moves it to the session that uses it: `anew` moves the clock past its expiry. */
  const prolong = (challenge: string, session: object) =>
    world.table.update(keys.passkeyChallenge(challenge), {
      expires_at: Math.ceil(Date.now() / 1_000) + 600,
      ...session,
    });
  const confirmed = { current_password: goodPassword };
  await guess('POST', `${path}/options`);
  const { publicKey }: Creation = await byAda('POST', `${path}/options`, confirmed);
  const session = await fresh();
  await prolong(publicKey.challenge, { session_id: sessionIdOf(session) });
  anew();
  const credential = authenticator.create(publicKey);
  const { passkey_id } = await cold('POST', path, session.bearer, { credential });
  const one = `${path}/${passkey_id}`;

  const anyone = (to: string, more: object = {}) => {
    anew();
    return cold('POST', to, undefined, { project_id, ...more });
  };
  const options = async (): Promise<Request['publicKey']> =>
    (await anyone('/sessions/passkey/options')).publicKey;
  const signIn = async (forged = {}) => {
    const asked = await options();
    await prolong(asked.challenge, {});
    return anyone('/sessions/passkey', { credential: authenticator.get(asked, forged) });
  };
  await signIn({ flags: 1 });
  await world.table.update(keys.user(uid), { devices: ['another'] });
  for (let i = 0; i < limits.sessionsPerUser; i += 1) await world.session(uid, project);
  await signIn();
  await guess('DELETE', one);
}
