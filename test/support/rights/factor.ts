import { keys } from '../../../shared/db/keys.ts';
import { limits } from '../../../shared/model/limits.ts';
import { factorProject, newApp } from '../factors.ts';
import { newPerson, settingsOf } from '../identities.ts';
import { guessedAt } from '../limits.ts';
import type { startOpenidProvider } from '../openid-provider.ts';
import { goodPassword } from '../sign-in.ts';
import { sessionIdOf } from '../started.ts';
import type { World } from '../world.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Cold = (method: string, path: string, auth?: string, body?: unknown) => Promise<any>;

type Tools = {
  anew: () => void;
  cold: Cold;
  openid: Awaited<ReturnType<typeof startOpenidProvider>>;
};

/** The same in a project that requires a second factor: it is added during the sign-in. */
async function useEnrolment(world: World, { anew, cold }: Pick<Tools, 'anew' | 'cold'>) {
  const { project, project_id, signUpWithMfa } = await factorProject(world, { mfa: 'required' });
  const email = 'enrolling.at.sign.in@gmail.com';
  await signUpWithMfa(email);
  const anyone = (to: string, body: object) => {
    anew();
    return cold('POST', to, undefined, { project_id, ...body });
  };
  const { mfa_token } = await anyone('/sessions/password', { email, password: goodPassword });
  // `anew` moves the clock past the expiry of a token or an enrolment.
  const extend = async (key: Parameters<typeof world.table.update>[0]) =>
    world.table.update(key, { expires_at: Math.ceil(Date.now() / 1_000) + 3_600 });
  await extend(keys.mfaToken(mfa_token));
  await anyone('/sessions/mfa/totp', { mfa_token });
  // Only the second request in a window writes a counter.
  const { secret } = await cold('POST', '/sessions/mfa/totp', undefined, { project_id, mfa_token });
  const { uid = '' } = (await world.table.get(keys.mfaToken(mfa_token))) as { uid?: string };
  await extend(keys.factor(uid));
  const to = '/sessions/mfa/totp/confirm';
  await world.table.update(keys.user(uid), { devices: ['another'] });
  for (let i = 0; i < limits.sessionsPerUser; i += 1) await world.session(uid, project);
  anew();
  await cold('POST', to, undefined, { project_id, mfa_token, code: newApp(secret).code() });
}

/** Uses every right of the functions of second factors, each on a cold instance. */
export async function useFactors(world: World, { anew, cold, openid }: Tools): Promise<void> {
  const identity_providers = { google: settingsOf(openid) };
  const {
    project,
    project_id,
    signUp,
    code: mailed,
    ...ours
  } = await factorProject(world, {
    identity_providers,
  });
  const account = { project_id, email: 'codes.of.factors@gmail.com' };
  const { uid } = await signUp(account.email);
  const path = '/users/me/factors';
  const fresh = async () => {
    anew();
    return world.session(uid, project);
  };
  const byAda = async (method: string, to: string, body = () => ({})) => {
    const { bearer } = await fresh();
    anew();
    // The code of the app is created last, since it expires before the instance is cold.
    return cold(method, to, bearer, method === 'GET' ? undefined : body());
  };
  await guessedAt(world, account);
  await byAda('POST', `${path}/totp`, () => ({ current_password: 'wrong' }));
  await world.table.delete(keys.passwordTries(account));

  const confirmed = () => ({ current_password: goodPassword });
  const enrol = async () => {
    const { secret } = await byAda('POST', `${path}/totp`, confirmed);
    const session = await fresh();
    // `anew` moves the clock past the expiry of an enrolment or a token.
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
  const code = () => ({ code: app.code() });
  const anyone = (to: string, body: object) => {
    anew();
    return cold('POST', to, undefined, { project_id, ...body });
  };
  const { email } = account;
  const byPassword = { email, password: goodPassword };
  /** The second step, with a renewed token: `anew` moves the clock by half its lifetime. */
  const finish = async (proof: () => object) => {
    const { mfa_token } = await anyone('/sessions/password', byPassword);
    anew();
    return cold('POST', '/sessions/mfa', undefined, { project_id, mfa_token, ...proof() });
  };
  await world.table.update(keys.user(uid), { devices: ['another'] });
  for (let i = 0; i < limits.sessionsPerUser; i += 1) await world.session(uid, project);
  await finish(code);
  await anyone('/sessions/code', await mailed(email));
  await anyone('/sessions/link', await ours.link(email));
  // The first sign-in links the account; the second finds it linked.
  const person = newPerson({ email });
  for (let i = 0; i < 2; i += 1) {
    const id_token = await openid.idToken(person);
    await anyone('/sessions/identity', { provider: 'google', id_token });
  }
  await useEnrolment(world, { anew, cold });
  // The owner gets a mail: there is no second factor.
  const owner = await world.user({ project, verified: true });
  const { workspace_id } = await world.workspace({ owner });
  await cold('PUT', `/workspaces/${workspace_id}`, project.basic, { require_mfa: true });
  await world.drainStream();
}
