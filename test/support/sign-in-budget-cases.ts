import type { Cases } from './budget-case.ts';
import type { Call } from './call.ts';
import { startOpenidProvider } from './openid-provider.ts';
import { goodPassword as password, signInProject } from './sign-in.ts';
import type { Person, World } from './world.ts';

const wrong = 'wrong battery horse staple';
let projects = 0;

/**
 * A call of every way to sign in, for each way it can go that costs differently. Each has a project of its own. Somebody
 * who has just signed up signs in once more before: until then the user item is larger, by all that the sign-up told.
 */
export function signInCases(world: World, profile: object) {
  /** A project, an e-mail that nobody has, and another one. */
  const empty = async (settings = {}) => {
    projects += 1;
    const [email, another] = [`ada.king${projects}@example.com`, `nobody${projects}@example.com`];
    return { ...(await signInProject(world, settings)), email, another };
  };
  /** Somebody who has signed up. */
  const signedUp = async (settings = {}) => {
    const at = await empty(settings);
    return { ...at, ada: await at.signUp(at.email, password, profile) };
  };
  /** Somebody whom the back end has made, with or without vouching for the e-mail. */
  const known = async (verified: boolean, settings = {}) => {
    const at = await empty(settings);
    const { email, project } = at;
    return { ...at, ada: await world.user({ ...profile, email, verified, project }) };
  };
  const anyone =
    (path: string) =>
    ({ project_id }: { project_id: string }, body: object, refused?: number) => ({
      ...{ method: 'POST', path, body: { project_id, ...body } },
      ...(refused !== undefined && { refused }),
    });
  const byPerson =
    (method: string, path: string) =>
    ({ bearer }: Person, body?: object): Call => ({ method, path, auth: bearer, body });
  const onNewDevice = (call: Call): Call => ({ ...call, headers: { 'user-agent': 'another' } });
  const signUp = anyone('/sign-up');
  const signIn = anyone('/sessions/password');
  const forgot = anyone('/passwords/forgotten');
  const setPassword = anyone('/passwords');
  const changePassword = byPerson('PUT', '/users/me/password');
  const startCode = anyone('/codes');
  const verifyCode = anyone('/sessions/code');
  const signInByIdentity = anyone('/sessions/identity');
  const linkIdentity = byPerson('POST', '/users/me/identities');
  const unlinkIdentity = byPerson('DELETE', '/users/me/identities/google');
  const verifyEmail = byPerson('POST', '/users/me/email/verification');
  const changeEmail = byPerson('POST', '/users/me/email');
  const confirmEmail = byPerson('POST', '/users/me/email/confirmation');

  /** A call with the token of an identity provider whose keys this instance has, in a project that `make` makes. */
  const provided = async <T extends Awaited<ReturnType<typeof empty>>>(
    make: (settings: object) => Promise<T>,
  ) => {
    const { issuer, jwks_uri, client_id, signed, close } = await startOpenidProvider();
    const google = { issuer, jwks_uri, client_ids: [client_id] };
    const at = await make({ identity_providers: { google } });
    const { email } = at;
    const names = { name: 'Augusta Ada King', given_name: 'Augusta Ada', family_name: 'King' };
    const by = (id_token: string) => signInByIdentity(at, { provider: 'google', id_token });
    await world.call(by(signed({ aud: 'another' })));
    await close();
    const id_token = signed({ sub: '108204268033311374519', email, ...names });
    return { ...at, call: by(id_token), token: { provider: 'google', id_token } };
  };

  return {
    'passwords.signUp': {
      Anyone: async () => {
        const at = await empty();
        await world.call(signUp(at, { email: at.another }));
        return signUp(at, { email: at.email });
      },
    },
    'passwords.signIn': {
      'Anyone, password': async () => {
        const at = await signedUp();
        await at.signIn(at.email);
        return signIn(at, { email: at.email, password });
      },
      'Anyone, password, new device': async () => {
        const at = await signedUp();
        await at.signIn(at.email);
        return onNewDevice(signIn(at, { email: at.email, password }));
      },
      'Anyone, wrong password': async () => {
        const at = await signedUp();
        return signIn(at, { email: at.email, password: wrong }, 401);
      },
      'Anyone, unknown e-mail': async () => {
        const at = await signedUp();
        return signIn(at, { email: at.another, password }, 401);
      },
    },
    'passwords.forgot': {
      'Anyone, known user': async () => {
        const at = await signedUp();
        return forgot(at, { email: at.email });
      },
      'Anyone, unknown e-mail': async () => {
        const at = await signedUp();
        return forgot(at, { email: at.another });
      },
    },
    'passwords.set': {
      'Anyone, new user': async () => {
        const at = await empty();
        await world.call(signUp(at, { email: at.email }));
        return setPassword(at, { token: await at.mailed(at.email), password, ...profile });
      },
      'Anyone, forgotten password, 2 sessions': async () => {
        const at = await signedUp();
        await at.signIn(at.email);
        await world.call(forgot(at, { email: at.email }));
        return setPassword(at, { token: await at.mailed(at.email), password: `${password} 2` });
      },
    },
    'passwords.change': {
      'Bearer, 2 sessions': async () => {
        const { ada, signIn: again, email } = await signedUp();
        await again(email);
        const new_password = `${password} 2`;
        return changePassword(ada, { current_password: password, new_password });
      },
    },
    'codes.start': {
      'Anyone, known user': async () => {
        const at = await known(true);
        return startCode(at, { email: at.email });
      },
      'Anyone, unknown e-mail': async () => {
        const at = await known(true);
        return startCode(at, { email: at.another });
      },
    },
    'codes.verify': {
      'Anyone, known user': async () => {
        const at = await known(true);
        return verifyCode(at, await at.code(at.email));
      },
      'Anyone, known user whose e-mail was not proven, 1 session': async () => {
        const at = await known(false);
        return verifyCode(at, await at.code(at.email));
      },
      'Anyone, new user': async () => {
        const at = await empty();
        return verifyCode(at, { ...(await at.code(at.email)), ...profile });
      },
      'Anyone, wrong code': async () => {
        const at = await known(true);
        const { challenge_id, code } = await at.code(at.email);
        const other = code === '000000' ? '000001' : '000000';
        return verifyCode(at, { challenge_id, code: other }, 401);
      },
    },
    'identities.signIn': {
      'Anyone, known account': async () => {
        const { call } = await provided(empty);
        for (let i = 0; i < 2; i += 1) await world.call(call);
        return call;
      },
      'Anyone, known account, new device': async () => {
        const { call } = await provided(empty);
        for (let i = 0; i < 2; i += 1) await world.call(call);
        return onNewDevice(call);
      },
      'Anyone, new account of a known user': async () =>
        (await provided((settings) => known(true, settings))).call,
      'Anyone, new user': async () => (await provided(empty)).call,
    },
    'identities.link': {
      Bearer: async () => {
        const { ada, token } = await provided((settings) => known(true, settings));
        return linkIdentity(ada, token);
      },
      'Bearer, with a password': async () => {
        const { ada, token, email, signIn: again } = await provided(signedUp);
        await again(email);
        return linkIdentity(ada, { ...token, current_password: password });
      },
    },
    'identities.unlink': {
      Bearer: async () => {
        const { ada, token } = await provided((settings) => known(true, settings));
        await world.call(linkIdentity(ada, token));
        return unlinkIdentity(ada);
      },
      'Bearer, with a password': async () => {
        const { ada, token, email, signIn: again } = await provided(signedUp);
        const current_password = password;
        await again(email);
        await world.call(linkIdentity(ada, { ...token, current_password }));
        return unlinkIdentity(ada, { current_password });
      },
    },
    'emails.verify': {
      Bearer: async () => verifyEmail((await known(false)).ada),
    },
    'emails.change': {
      Bearer: async () => {
        const { ada, another } = await known(true);
        return changeEmail(ada, { email: another });
      },
      'Bearer, with a password': async () => {
        const { ada, another } = await signedUp();
        return changeEmail(ada, { email: another, current_password: password });
      },
    },
    'emails.confirm': {
      'Bearer, own e-mail that was not proven': async () => {
        const { ada, email, mailed } = await known(false);
        await world.call(verifyEmail(ada));
        return confirmEmail(ada, { token: await mailed(email) });
      },
      'Bearer, another e-mail': async () => {
        const { ada, another, mailed } = await known(true);
        await world.call(changeEmail(ada, { email: another }));
        return confirmEmail(ada, { token: await mailed(another) });
      },
    },
  } satisfies Cases;
}
