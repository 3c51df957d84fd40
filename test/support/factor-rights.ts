import { keys } from '../../shared/db/schema.ts';
import { factorProject, newApp } from './factors.ts';
import { guessedAt } from './limits.ts';
import { goodPassword } from './sign-in.ts';
import { sessionIdOf } from './started.ts';
import type { World } from './world.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Cold = (method: string, path: string, auth?: string, body?: unknown) => Promise<any>;

/** Uses every right of the functions of second factors, each on an instance that knows nothing. */
export async function useFactors(
  world: World,
  { anew, aDayLater, cold }: { anew: () => void; aDayLater: () => void; cold: Cold },
): Promise<void> {
  const { project, project_id, signUp } = await factorProject(world);
  const account = { project_id, email: 'codes@factors.example.com' };
  const { uid } = await signUp(account.email);
  const path = '/users/me/factors';
  const fresh = async () => {
    anew();
    return world.session(uid, project);
  };
  const byAda = async (method: string, to: string, body = () => ({})) => {
    const { bearer } = await fresh();
    anew();
    // A code of the app is over by the time that an instance is new.
    return cold(method, to, bearer, method === 'GET' ? undefined : body());
  };
  await guessedAt(world, account);
  await byAda('POST', `${path}/totp`, () => ({ current_password: 'wrong' }));
  await world.table.delete(keys.passwordTries(account));

  const confirmed = () => ({ current_password: goodPassword });
  const enrol = async () => {
    const { secret } = await byAda('POST', `${path}/totp`, confirmed);
    const session = await fresh();
    // `anew` takes longer than an enrolment or a token is good for.
    await world.table.update(keys.factor(uid), {
      expires_at: Math.ceil(Date.now() / 1_000) + 600,
      session_id: sessionIdOf(session),
    });
    anew();
    const body = { code: newApp(secret).code() };
    await cold('POST', `${path}/totp/confirm`, session.bearer, body);
    return newApp(secret);
  };
  const app = await enrol();
  await byAda('GET', path);
  const code = () => ({ code: app.code() });
  await byAda('POST', `${path}/recovery_codes`, code);
  await byAda('DELETE', `${path}/totp`, code);
  await enrol();
  aDayLater();
  await cold('DELETE', `/users/${uid}/factors`, project.basic);
}
