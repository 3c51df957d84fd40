import { keys } from '../../../shared/db/keys.ts';
import { newAuthenticator } from '../authenticator.ts';
import { page, passkeyProject } from '../passkeys.ts';
import type { World } from '../world.ts';

type Cold = (method: string, path: string, auth?: string, body?: unknown) => Promise<unknown>;

/** Reauthenticates with a passkey in a session with an active workspace, so that the new token names its role. */
export async function useReauthentication(world: World, anew: () => void, cold: Cold) {
  const { project, add, request } = await passkeyProject(world);
  const owner = await world.user({ project, verified: true });
  const { authenticator } = await add(owner, newAuthenticator(page));
  const { workspace_id } = await world.workspace({ owner });
  const asked = await request();
  anew();
  const { bearer } = await world.session(owner.uid, project);
  await world.as(bearer).sessions.selectWorkspace({ workspace_id });
  anew();
  // The challenge has expired by now.
  await world.table.update(keys.passkeyChallenge(asked.challenge), {
    expires_at: Math.ceil(Date.now() / 1_000) + 600,
  });
  await cold('POST', '/sessions/reauthenticate', bearer, { passkey: authenticator.get(asked) });
}
