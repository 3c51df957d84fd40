import { keys } from '../../../shared/db/keys.ts';
import { newAuthenticator } from '../authenticator.ts';
import { factorProject } from '../factors.ts';
import { guessedAt } from '../limits.ts';
import { page, passkeyProject } from '../passkeys.ts';
import { goodPassword } from '../sign-in.ts';
import type { World } from '../world.ts';

// oxlint-disable-next-line typescript/no-explicit-any
type Cold = (method: string, path: string, auth?: string, body?: unknown) => Promise<any>;

/** Uses every right of the reauthentication function, each on a cold instance. */
export async function useReauthentication(world: World, anew: () => void, cold: Cold) {
  const ours = await factorProject(world);
  const account = { project_id: ours.project_id, email: 'again@factors.example.com' };
  const { uid } = await ours.signUp(account.email);
  /** With an active workspace, so that the token names membership and role. */
  const { workspace_id } = await world.workspace({
    owner: await world.session(uid, ours.project),
  });
  const again = async (of: Pick<typeof ours, 'project'>, whose: string, body: () => object) => {
    anew();
    const { bearer } = await world.session(whose, of.project);
    if (of === ours) await world.as(bearer).sessions.selectWorkspace({ workspace_id });
    anew();
    return cold('POST', '/sessions/reauthenticate', bearer, body());
  };
  const byAda = (body: () => object) => again(ours, uid, body);
  await byAda(() => ({ password: goodPassword }));
  await guessedAt(world, account);
  await byAda(() => ({ password: 'wrong' }));
  await world.table.delete(keys.passwordTries(account));
  const ada = await world.session(uid, ours.project);
  const { app, recovery_codes } = await ours.enrol(ada, { current_password: goodPassword });
  await ours.rest(uid);
  await byAda(() => ({ code: app.wrong() }));
  await byAda(() => ({ code: app.code() }));
  await byAda(() => ({ recovery_code: recovery_codes[0] }));

  const others = await passkeyProject(world);
  const eve = await world.user({ project: others.project, verified: true });
  const { authenticator } = await others.add(eve, newAuthenticator(page));
  const asked = await others.request();
  // `anew` moves the clock past the expiry of a challenge.
  await world.table.update(keys.passkeyChallenge(asked.challenge), {
    expires_at: Math.ceil(Date.now() / 1_000) + 3_600,
  });
  await again(others, eve.uid, () => ({ passkey: authenticator.get(asked) }));
}
