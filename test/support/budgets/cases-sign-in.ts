import { keys } from '../../../shared/db/keys.ts';
import type { Call } from '../call.ts';
import { setSource } from '../limits.ts';
import { newKey, startOpenidProvider } from '../openid-provider.ts';
import { passkeysAlone } from '../passkeys.ts';
import { goodPassword as password, signInProject } from '../sign-in.ts';
import type { World } from '../world.ts';
import { budgetTools, type Cases, from, profile } from './case.ts';

const current_password = password;
const wrong = 'wrong battery horse staple';
/** Required after one failure or one mail. */
const captcha = {
  ...{ provider: 'turnstile', site_key: 'key', rule: 'after_failures', failures: 1 },
  hostnames: ['www.example.com'],
};
let projects = 0;
/** The signing key of all providers here: generating one takes a tenth of a second. */
let key: ReturnType<typeof newKey> | undefined;

/**
 * Passwords, codes, identities and e-mails. Each case has its own project. A user who has just signed up signs in once
 * more before the measurement: until then, the events of the sign-up make the user item larger.
 */
export function signInCases(world: World) {
  const { call } = budgetTools(world);
  /** A project, and two e-mails without an account. */
  const empty = async (settings = {}) => {
    projects += 1;
    const [email, another] = [`ada.king${projects}@example.com`, `nobody${projects}@example.com`];
    return { ...(await signInProject(world, settings)), email, another };
  };
  const signedUp = async (settings = {}) => {
    const at = await empty(settings);
    return { ...at, ada: await at.signUp(at.email, password, profile) };
  };
  const signedInAgain = async (settings = {}) => {
    const at = await signedUp(settings);
    await at.signIn(at.email);
    return at;
  };
  /** A user that the backend created, with or without a verified e-mail. */
  const created =
    (verified: boolean) =>
    async (settings = {}) => {
      const at = await empty(settings);
      const { email, project } = at;
      return { ...at, ada: await world.user({ ...profile, email, verified, project }) };
    };
  const known = created(true);
  const unproven = created(false);
  type At = Awaited<ReturnType<typeof empty>>;

  const anyone =
    (path: string) =>
    ({ project_id }: At, body: object): Call => ({
      ...{ method: 'POST', path, body: { project_id, ...body } },
    });
  const refused = (one: Call, status = 401) => ({ ...one, refused: status });
  /** Repeats a call from the same network in a project that then requires a captcha. */
  const askedForCaptcha = async (at: At, one: Call) => {
    await world.call(one);
    await setSource(world, at.project_id, 1);
    return refused(one, 403);
  };
  const onNewDevice = (one: Call) => ({ ...one, headers: { 'user-agent': 'another' } });
  const signUp = anyone('/sign-up');
  const signIn = anyone('/sessions/password');
  const forgot = anyone('/passwords/forgotten');
  const setPassword = anyone('/passwords');
  const startCode = anyone('/codes');
  const verifyCode = anyone('/sessions/code');
  const startLink = anyone('/links');
  const asked = { challenge: 'x'.repeat(43) };
  const showLinkCode = anyone('/links/code');
  const signInByLink = anyone('/sessions/link');
  const signInByIdentity = anyone('/sessions/identity');

  type Known = Awaited<ReturnType<typeof known>>;
  const byAda =
    (route: string) =>
    ({ ada }: Known, body?: object) =>
      call(route, ada.bearer, body);
  const changePassword = byAda('PUT /users/me/password');
  const linkIdentity = byAda('POST /users/me/identities');
  const unlinkIdentity = byAda('DELETE /users/me/identities/google');
  const verifyEmail = byAda('POST /users/me/email/verification');
  const changeEmail = byAda('POST /users/me/email');
  const confirmEmail = byAda('POST /users/me/email/confirmation');

  /** A call with an ID token whose provider's keys this instance has cached, in a project that `make` creates. */
  const provided =
    <T extends At>(make: (settings: object) => Promise<T>) =>
    async () => {
      key ??= newKey();
      const { issuer, jwks_uri, client_id, signed, close } = await startOpenidProvider({ key });
      const google = { issuer, jwks_uri, client_ids: [client_id] };
      const at = await make({ identity_providers: { google } });
      const { email } = at;
      const names = { name: 'Augusta Ada King', given_name: 'Augusta Ada', family_name: 'King' };
      const by = (id_token: string) => signInByIdentity(at, { provider: 'google', id_token });
      await world.call(by(signed({ aud: 'another' })));
      await close();
      const id_token = signed({ sub: '108204268033311374519', email, ...names });
      return { ...at, signInCall: by(id_token), token: { provider: 'google', id_token } };
    };
  const signedInTwice = async () => {
    const { signInCall } = await provided(empty)();
    for (let i = 0; i < 2; i += 1) await world.call(signInCall);
    return signInCall;
  };

  return {
    'passwords.signUp': {
      Anyone: from(empty, async (at) => {
        await world.call(signUp(at, { email: at.another }));
        return signUp(at, { email: at.email });
      }),
    },
    'passwords.signIn': {
      'Anyone, password': from(signedInAgain, (at) => signIn(at, { email: at.email, password })),
      'Anyone, password, new device': from(signedInAgain, (at) =>
        onNewDevice(signIn(at, { email: at.email, password })),
      ),
      'Anyone, wrong password': from(signedUp, (at) =>
        refused(signIn(at, { email: at.email, password: wrong })),
      ),
      'Anyone, unknown e-mail': from(signedUp, (at) =>
        refused(signIn(at, { email: at.another, password })),
      ),
      'Anyone, captcha required': from(
        () => signedUp({ captcha }),
        (at) => askedForCaptcha(at, signIn(at, { email: at.email, password: wrong })),
      ),
      'Anyone, captcha required, unknown e-mail': from(
        () => signedUp({ captcha }),
        (at) => askedForCaptcha(at, signIn(at, { email: at.another, password })),
      ),
    },
    'passwords.forgot': {
      'Anyone, known user': from(signedUp, (at) => forgot(at, { email: at.email })),
      'Anyone, unknown e-mail': from(signedUp, (at) => forgot(at, { email: at.another })),
    },
    'passwords.set': {
      'Anyone, new user': from(empty, async (at) => {
        await world.call(signUp(at, { email: at.email }));
        return setPassword(at, { token: await at.mailed(at.email), password, ...profile });
      }),
      'Anyone, forgotten password, 2 sessions': from(signedInAgain, async (at) => {
        await world.call(forgot(at, { email: at.email }));
        return setPassword(at, { token: await at.mailed(at.email), password: `${password} 2` });
      }),
    },
    'passwords.change': {
      'Bearer, 2 sessions': from(signedInAgain, (at) =>
        changePassword(at, { current_password, new_password: `${password} 2` }),
      ),
    },
    'codes.start': {
      'Anyone, known user': from(known, (at) => startCode(at, { email: at.email })),
      'Anyone, unknown e-mail': from(known, (at) => startCode(at, { email: at.another })),
      // As for the other endpoints that send mail.
      'Anyone, captcha required': from(
        () => known({ captcha }),
        (at) => askedForCaptcha(at, startCode(at, { email: at.email })),
      ),
    },
    'codes.verify': {
      'Anyone, known user': from(known, async (at) => verifyCode(at, await at.code(at.email))),
      'Anyone, known user whose e-mail was not proven, 1 session': from(unproven, async (at) =>
        verifyCode(at, await at.code(at.email)),
      ),
      'Anyone, new user': from(empty, async (at) =>
        verifyCode(at, { ...(await at.code(at.email)), ...profile }),
      ),
      'Anyone, wrong code': from(known, async (at) => {
        const { challenge_id, code } = await at.code(at.email);
        const other = code === '000000' ? '000001' : '000000';
        return refused(verifyCode(at, { challenge_id, code: other }));
      }),
    },
    'links.start': {
      'Anyone, known user': from(known, (at) => startLink(at, { ...asked, email: at.email })),
      'Anyone, unknown e-mail': from(known, (at) => startLink(at, { ...asked, email: at.another })),
    },
    'links.showCode': {
      Anyone: from(known, async (at) => {
        const { link_id, token } = await at.link(at.email);
        return showLinkCode(at, { link_id, token });
      }),
    },
    'links.signIn': {
      'Anyone, known user': from(known, async (at) => signInByLink(at, await at.link(at.email))),
      'Anyone, known user whose e-mail was not proven, 1 session': from(unproven, async (at) =>
        signInByLink(at, await at.link(at.email)),
      ),
      'Anyone, new user': from(empty, async (at) =>
        signInByLink(at, { ...(await at.link(at.email)), ...profile }),
      ),
      'Anyone, wrong verifier': from(known, async (at) =>
        refused(signInByLink(at, { ...(await at.link(at.email)), verifier: 'x'.repeat(43) })),
      ),
    },
    'identities.signIn': {
      'Anyone, known account': signedInTwice,
      'Anyone, known account, new device': from(signedInTwice, onNewDevice),
      'Anyone, new account of a known user': from(provided(known), (at) => at.signInCall),
      'Anyone, new user': from(provided(empty), (at) => at.signInCall),
    },
    'identities.link': {
      Bearer: from(provided(known), (at) => linkIdentity(at, at.token)),
      'Bearer, with a password': from(provided(signedInAgain), (at) =>
        linkIdentity(at, { ...at.token, current_password }),
      ),
    },
    'identities.unlink': {
      Bearer: from(provided(known), async (at) => {
        await world.call(linkIdentity(at, at.token));
        return unlinkIdentity(at);
      }),
      'Bearer, with a password': from(provided(signedInAgain), async (at) => {
        await world.call(linkIdentity(at, { ...at.token, current_password }));
        return unlinkIdentity(at, { current_password });
      }),
      'Bearer, beside a passkey and nothing else': from(
        provided((settings) => known({ ...settings, ...passkeysAlone, passkeys: true })),
        async (at) => {
          await world.call(linkIdentity(at, at.token));
          const { uid } = at.ada;
          await world.table.put({ ...keys.passkey(uid, 'one'), passkey_id: 'one', uid });
          const sign_in_methods = { google: { enabled: true }, passkey: { enabled: true } };
          await world.table.update(keys.user(uid), { sign_in_methods, passkey_count: 1 });
          return unlinkIdentity(at);
        },
      ),
    },
    'emails.verify': { Bearer: from(unproven, (at) => verifyEmail(at)) },
    'emails.change': {
      Bearer: from(known, (at) => changeEmail(at, { email: at.another })),
      'Bearer, with a password': from(signedUp, (at) =>
        changeEmail(at, { email: at.another, current_password }),
      ),
    },
    'emails.confirm': {
      'Bearer, own e-mail that was not proven': from(unproven, async (at) => {
        await world.call(verifyEmail(at));
        return confirmEmail(at, { token: await at.mailed(at.email) });
      }),
      'Bearer, another e-mail': from(known, async (at) => {
        await world.call(changeEmail(at, { email: at.another }));
        return confirmEmail(at, { token: await at.mailed(at.another) });
      }),
    },
  } satisfies Cases;
}
