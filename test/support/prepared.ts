import { keys } from '../../shared/db/keys.ts';
import type { SignIn } from './sign-in.ts';
import { sessionIdOf } from './started.ts';
import type { Person, World } from './world.ts';

/** The kinds of session of a prepared account. */
export const openings = ['idpw', 'google', 'passkey', 'project'] as const;
export type Opening = (typeof openings)[number];

let accounts = 0;

/**
 * A user with an unverified e-mail, a password, a linked provider account, a passkey, a second factor added in a
 * password session, and a session by each of them and by the backend. An attacker may have created any of these
 * (pre-hijacking).
 */
export async function preparedAccount(world: World, ours: SignIn, email: string) {
  accounts += 1;
  const { project, project_id } = ours;
  const { table } = world;
  const idpw = await ours.signUp(email);
  const { uid } = idpw;
  const linked = { issuer: 'https://id.example.com', subject: `prepared ${accounts}` };
  const identity = keys.identity(project_id, linked.issuer, linked.subject);
  await table.put({ ...identity, uid, project_id, provider: 'google' });
  const google = await world.session(uid, project);
  await table.update(keys.session(uid, sessionIdOf(google)), { method: 'google' });
  const passkey_id = 'p'.repeat(43);
  const passkey = keys.passkey(uid, passkey_id);
  const guard = keys.passkeyGuard(project_id, passkey_id);
  await table.put({ ...passkey, passkey_id, uid, project_id });
  await table.put({ ...guard, uid, project_id });
  const factor = keys.factor(uid);
  const recovery_digests: string[] = [];
  await table.put({ ...factor, uid, project_id, confirmed_at: '', recovery_digests });
  const byPasskey = await world.session(uid, project);
  await table.update(keys.session(uid, sessionIdOf(byPasskey)), { method: 'passkey' });
  const people: Record<Opening, Person> = {
    idpw,
    google,
    passkey: byPasskey,
    project: await world.session(uid, project),
  };
  await table.update(keys.user(uid), {
    verified: { email: false },
    identities: { google: linked },
    social: 'google',
    passkey_count: 1,
    factor_method: 'idpw',
    sign_in_methods: {
      idpw: { enabled: true },
      google: { enabled: true },
      passkey: { enabled: true },
    },
  });

  return {
    uid,
    email,
    people,

    /** The remaining sign-in methods, by every item that records them, and the sessions that are still valid. */
    async state() {
      const user = (await table.get(keys.user(uid))) ?? {};
      const shown = Object.keys(user['sign_in_methods'] ?? {});
      const sessions: Opening[] = [];
      for (const opening of openings) {
        const { status } = await world.call('GET', '/users/me', people[opening].bearer);
        if (status === 200) sessions.push(opening);
      }
      return {
        verified: user['verified'],
        social: user['social'],
        methods: [
          ...((await table.get(keys.password(uid))) ? ['idpw'] : []),
          ...((await table.get(identity)) ? ['google'] : []),
          ...((await table.get(passkey)) && (await table.get(guard)) ? ['passkey'] : []),
        ],
        factor: (await table.get(factor)) !== undefined && user['factor_method'] === 'idpw',
        shown: shown.toSorted(),
        identities: user['identities'],
        sessions,
      };
    },

    /** The expected remainder if the person who verifies the e-mail has this kind of session. */
    expectedState: (opening: Opening) => ({
      verified: { email: true },
      social: opening === 'google' ? 'google' : undefined,
      methods: opening === 'project' ? [] : [opening],
      factor: opening === 'idpw',
      shown: opening === 'project' ? [] : [opening],
      identities: opening === 'google' ? { google: linked } : undefined,
      sessions: openings.filter((each) => each === opening || each === 'project'),
    }),

    /** The events of the credential reset that follows the verification. */
    resetEvents: (opening: Opening) => [
      ...(opening === 'google'
        ? []
        : [{ type: 'user.identity_unlinked', data: { provider: 'google' } }]),
      ...(opening === 'passkey' ? [] : [{ type: 'user.passkey_removed', data: { passkey_id } }]),
      ...(opening === 'idpw' ? [] : [{ type: 'user.factor_removed' }]),
      {
        type: 'user.sessions_ended',
        data: { count: opening === 'project' ? 3 : 2 },
      },
    ],
  };
}
