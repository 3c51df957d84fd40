import { prolongCode } from '../limits.ts';
import { type Fields, formOf, oauthScene } from '../oauth.ts';
import type { World } from '../world.ts';
import { from, profile } from './case.ts';

/** Endpoints for browsers and OAuth clients. Each case has its own project, which the instance has cached. */
export function oauthCases(world: World) {
  const visited = async () => {
    const scene = await oauthScene(world);
    const ada = await scene.visitor(profile);
    await scene.authorize({ client_id: scene.web.client_id });
    return { ...scene, ada };
  };
  type Visited = Awaited<ReturnType<typeof visited>>;
  const open = (path: string, query: Fields, cookie?: string) => ({
    ...{ method: 'GET', path, query },
    ...(cookie !== undefined && { headers: { cookie } }),
  });
  const hinted = async (scene: Visited) => {
    const { id_token: id_token_hint } = await scene.tokens(scene.ada);
    return { ...scene, id_token_hint };
  };
  return {
    'oauth.authorize': {
      'Anyone, signed in': from(visited, ({ request, ada }) =>
        open('/authorize', request().fields, ada.cookie),
      ),
      'Anyone, not signed in': from(visited, ({ request }) => open('/authorize', request().fields)),
    },
    'oauth.authorizeByForm': {
      Anyone: from(visited, ({ request }) => formOf('/authorize', request().fields)),
    },
    'oauth.token': {
      'Anyone, code': from(visited, async ({ code, ada }) => {
        const presented = await code(ada);
        await prolongCode(world, presented.code);
        return formOf('/token', presented);
      }),
      'Anyone, code, again': from(visited, async ({ code, token, ada }) => {
        const presented = await code(ada);
        await token(presented);
        return { ...formOf('/token', presented), refused: 400 };
      }),
      'Anyone, refresh token, Basic': from(visited, async ({ tokens, basicOf, server, ada }) => {
        const { refresh_token } = await tokens(ada, server);
        return formOf('/token', { grant_type: 'refresh_token', refresh_token }, basicOf(server));
      }),
    },
    'oauth.userinfo': {
      Bearer: from(visited, ({ ada }) => ({ method: 'GET', path: '/userinfo', auth: ada.bearer })),
    },
    'oauth.userinfoByPost': {
      Bearer: from(visited, ({ ada }) => ({ method: 'POST', path: '/userinfo', auth: ada.bearer })),
    },
    'oauth.logout': {
      'Anyone, ID token': from(
        async () => hinted(await visited()),
        ({ id_token_hint, ada }) => open('/logout', { id_token_hint }, ada.cookie),
      ),
      'Anyone, no ID token': from(visited, ({ web, ada }) =>
        open('/logout', { client_id: web.client_id }, ada.cookie),
      ),
    },
    'oauth.logoutByForm': {
      Anyone: from(visited, ({ web }) => formOf('/logout', { client_id: web.client_id })),
    },
  };
}
