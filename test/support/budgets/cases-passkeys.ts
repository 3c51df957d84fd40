import { newAuthenticator } from '../authenticator.ts';
import type { Call } from '../call.ts';
import { page, passkeyProject, passkeysAlone } from '../passkeys.ts';
import type { World } from '../world.ts';
import { from, profile } from './case.ts';

/** Passkeys: each case has its own project, and a user with one passkey who has signed in with it once. */
export function passkeyCases(world: World) {
  const scene = async (settings = {}) => {
    const ours = await passkeyProject(world, settings);
    const ada = await world.user({ ...profile, verified: true, project: ours.project });
    const { authenticator, passkey } = await ours.add(ada);
    await ours.signInBy(authenticator);
    const path = `/users/me/passkeys/${passkey.passkey_id}`;
    const by = (method: string, at: string, body?: object): Call => ({
      ...{ method, path: at, auth: ada.bearer, ...(body && { body }) },
    });
    const other = () => newAuthenticator(page);
    return { ...ours, ada, authenticator, other, path, by };
  };
  const twoAlone = async () => {
    const at = await scene(passkeysAlone);
    await at.add(at.ada, at.other());
    return at;
  };
  type Scene = Awaited<ReturnType<typeof scene>>;
  const anyone = ({ project_id }: Scene, path: string, body: object = {}): Call => ({
    ...{ method: 'POST', path, body: { project_id, ...body } },
  });
  const assertion = async ({ authenticator, request }: Scene) => authenticator.get(await request());
  /** Names an existing user, but uses a passkey that is not theirs. */
  const unknown = async (at: Scene) => {
    const { userHandle } = (await assertion(at)).response;
    return at.other().get(await at.request(), { userHandle });
  };

  return {
    'passkeys.startRegistration': {
      'Bearer, 1 passkey': from(scene, ({ by }) => by('POST', '/users/me/passkeys/options', {})),
    },
    'passkeys.register': {
      'Bearer, second passkey': from(scene, async ({ ada, creation, by, other }) => {
        const { body } = await creation(ada);
        const credential = other().create(body.publicKey);
        return by('POST', '/users/me/passkeys', { credential, name: 'Phone' });
      }),
    },
    'passkeys.list': {
      'Bearer, 1 passkey': from(scene, ({ by }) => by('GET', '/users/me/passkeys')),
    },
    'passkeys.rename': { Bearer: from(scene, ({ by, path }) => by('PUT', path, { name: 'Key' })) },
    'passkeys.delete': {
      'Bearer, last passkey': from(scene, ({ by, path }) => by('DELETE', path, {})),
      'Bearer, one of two with nothing else': from(twoAlone, ({ by, path }) =>
        by('DELETE', path, {}),
      ),
    },
    'passkeys.startSignIn': {
      Anyone: from(scene, (at) => anyone(at, '/sessions/passkey/options')),
    },
    'passkeys.signIn': {
      Anyone: from(scene, async (at) =>
        anyone(at, '/sessions/passkey', { credential: await assertion(at) }),
      ),
      'Anyone, new device': from(scene, async (at) => ({
        ...anyone(at, '/sessions/passkey', { credential: await assertion(at) }),
        headers: { 'user-agent': 'another' },
      })),
      'Anyone, unknown passkey': from(scene, async (at) => ({
        ...anyone(at, '/sessions/passkey', { credential: await unknown(at) }),
        refused: 401,
      })),
    },
  };
}
