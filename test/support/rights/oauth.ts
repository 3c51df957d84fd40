import { limits } from '../../../shared/model/limits.ts';
import { oauthScene } from '../oauth.ts';
import type { World } from '../world.ts';

/** Uses every right of the functions of the OpenID provider. `anew` expires the caches of projects and keys. */
export async function useOAuth(world: World, anew: () => void): Promise<void> {
  const scene = await oauthScene(world);
  const { authorize, token, refresh, logout, request, form, web } = scene;
  const ada = await scene.visitor();
  anew();
  const presented = await scene.code(ada);
  // The first eight requests of a network in a window write nothing.
  for (let i = 0; i < 9; i += 1) await token({ ...presented, code: 'x' });
  for (let i = 0; i < limits.sessionsPerUser - 4; i += 1)
    await world.session(ada.uid, scene.project);
  anew();
  const { body } = await token(presented);
  anew();
  await refresh(web, body.refresh_token);
  const again = await scene.code(ada);
  await token(again);
  await token(again);
  const { id_token: id_token_hint, access_token, refresh_token } = await scene.tokens(ada);
  const { workspace_id } = await world.workspace({ owner: ada });
  await world.as(`Bearer ${access_token}`).sessions.selectWorkspace({ workspace_id });
  await refresh(web, refresh_token);
  anew();
  await authorize(request(web, { id_token_hint }).fields, ada.cookie);
  for (const method of ['GET', 'POST']) {
    const { bearer } = await world.session(ada.uid, scene.project);
    anew();
    await world.call(method, '/userinfo', bearer);
  }
  for (const path of ['/authorize', '/logout']) await form(path, {});
  await world.call('GET', '/.well-known/oauth-authorization-server');
  anew();
  await logout({ id_token_hint }, ada.cookie);
}
