import { type Authenticator, newAuthenticator } from './authenticator.ts';
import { type SignIn, type Started, signInProject } from './sign-in.ts';
import type { Person, World } from './world.ts';

type Answer<T> = { status: number; body: T; headers: Headers };
export type PasskeyAnswer = Answer<{ passkey_id: string; name: string; code?: string }>;

/** The page of a product with its own relying party. */
export const page = 'https://app.passkeys.example.com';
const ownParty = { rp_id: 'passkeys.example.com', origins: [page] };

/** Settings that allow only passkey sign-in. */
export const passkeysAlone = { code_sign_in: false, link_sign_in: false, password_sign_in: false };

/** A project with passkeys, the requests of a browser, and a browser at `page`. */
export async function passkeyProject(world: World, settings: object = {}) {
  const ours: SignIn = await signInProject(world, { passkeys: true, ...ownParty, ...settings });
  const { post } = ours;

  const creation = async ({ bearer }: Pick<Person, 'bearer'>, body: object = {}) =>
    world.call<{ publicKey: never; code?: string }>({
      ...{ method: 'POST', path: '/users/me/passkeys/options', auth: bearer, body },
    });
  const register = (
    { bearer }: Pick<Person, 'bearer'>,
    credential: object,
    more: object = { name: 'Phone' },
  ): Promise<PasskeyAnswer> =>
    world.call({
      method: 'POST',
      path: '/users/me/passkeys',
      ...{ auth: bearer, body: { credential, ...more } },
    });
  const request = async () =>
    (
      await post<{ publicKey: { rpId: string; challenge: string } }>(
        '/sessions/passkey/options',
        {},
      )
    ).body.publicKey;

  return {
    ...ours,
    creation,
    register,
    request,
    /** Adds a passkey to a user without a password, and returns its authenticator. */
    async add(person: Pick<Person, 'bearer'>, authenticator = newAuthenticator(page)) {
      const { body } = await creation(person);
      const added = await register(person, authenticator.create(body.publicKey));
      if (added.status !== 201) throw new Error(JSON.stringify(added.body));
      return { authenticator, passkey: added.body };
    },
    /** Signs in with an authenticator, whose assertion may be forged. */
    async signInBy(
      { get }: Pick<Authenticator, 'get'>,
      forged: Parameters<Authenticator['get']>[1] = {},
    ) {
      const credential = get(await request(), forged);
      return post<Started & { code?: string }>('/sessions/passkey', { credential });
    },
  };
}
