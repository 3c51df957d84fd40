import { oauthScene } from '../oauth.ts';
import type { World } from '../world.ts';

/** Uses the rights of the OpenID provider that its cases do not use. `anew` expires the caches of projects and keys. */
export async function useOAuth(world: World, anew: () => void): Promise<void> {
  const scene = await oauthScene(world);
  const { authorize, token, refresh, request, web } = scene;
  const ada = await scene.visitor();
  const presented = await scene.code(ada);
  // The first eight requests of a network in a window write nothing.
  for (let i = 0; i < 9; i += 1) await token({ ...presented, code: 'x' });
  const { id_token: id_token_hint, access_token, refresh_token } = await scene.tokens(ada);
  const { workspace_id } = await world.workspace({ owner: ada });
  await world.as(`Bearer ${access_token}`).sessions.selectWorkspace({ workspace_id });
  await refresh(web, refresh_token);
  anew();
  await authorize(request(web, { id_token_hint }).fields, ada.cookie);
}
