import { expect, vi } from 'vitest';
import { keys } from '../../../shared/db/keys.ts';
import { limits } from '../../../shared/model/limits.ts';
import { formOf } from '../oauth.ts';
import { startStandIn } from '../provider-stand-in.ts';
import { goThrough, personAt, providerProject, upToCallback } from '../providers.ts';
import type { World } from '../world.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Cold = (method: string, path: string, auth?: string, body?: unknown) => Promise<any>;

/** Uses every right of the functions for sign-ins at providers, each on a cold instance. */
export async function useProviders(world: World, anew: () => void, cold: Cold): Promise<void> {
  const standIns = await Promise.all([startStandIn('google'), startStandIn('apple')]);
  const [google, apple] = standIns;
  const ours = await providerProject(world, standIns, { mfa: 'optional' }, { keep_tokens: true });
  const { project, project_id } = ours;
  apple.is(personAt('apple'));

  const signIn = async () => {
    anew();
    const { path, cookie, code_verifier } = await upToCallback(world, ours, 'google');
    anew();
    const back = await world.call({ method: 'GET', path, headers: { cookie } });
    // Repeats the callback, which reads the code of the first one.
    await world.call({ method: 'GET', path, headers: { cookie } });
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    // Renews the code, which expires before the instance is cold.
    await world.table.update(keys.providerCode(code), {
      expires_at: Math.ceil(Date.now() / 1_000) + 600,
    });
    anew();
    return cold('POST', '/sessions/oauth', undefined, { project_id, code, code_verifier });
  };
  google.is(personAt('google'));
  const { uid } = await signIn();
  for (let i = 0; i < limits.sessionsPerUser; i += 1) await world.session(uid, project);
  await signIn();
  await world.operate({ action: 'update', project_id, mfa: 'required' });
  await signIn();
  await world.operate({ action: 'update', project_id, mfa: 'off' });

  const person = personAt('google');
  google.is(person);
  const { bearer } = await world.user({ email: person.email, verified: true, project });
  await signIn();
  const other = await world.user({ project });
  google.is(personAt('google'));
  // Makes every read of the token refresh it.
  google.behave({ expires_in: 0 });
  const link = async () => {
    const { code, code_verifier } = await goThrough(world, ours, 'google');
    const linking = { provider: 'google', code, code_verifier };
    return cold('POST', '/users/me/identities', other.bearer, linking);
  };
  for (const linked of [await link(), await link()])
    expect([linked.social, bearer === other.bearer]).toEqual(['google', false]);
  const tokenOf = (whose: string) => `/users/${whose}/identities/google/token`;
  const expectToken = (given: { access_token: string }) =>
    expect(given.access_token).toMatch(/^token-of-google-/);
  anew();
  expectToken(await cold('GET', tokenOf('me'), other.bearer));
  const { identities } = await cold('GET', `/users/${other.uid}/export`, other.bearer);
  expect(identities).toMatchObject([{ provider: 'google', tokens_kept: true }]);
  // Tokens that the provider has revoked are deleted.
  const refused = { expires_in: 0, refresh: 'invalid_grant' };
  google.behave(refused);
  await cold('GET', tokenOf('me'), other.bearer);
  google.behave({ expires_in: 0 });
  await link();
  // The last use of a secret is recorded once a day.
  vi.setSystemTime(Date.now() + 86_400_000);
  expectToken(await cold('GET', tokenOf(other.uid), project.basic));
  google.behave(refused);
  await cold('GET', tokenOf(other.uid), project.basic);
  google.behave();

  anew();
  const { path, form = {}, cookie } = await upToCallback(world, ours, 'apple');
  anew();
  const posted = formOf(path, form);
  for (let i = 0; i < 2; i += 1)
    await world.call({ ...posted, headers: { ...posted.headers, cookie } });
}
