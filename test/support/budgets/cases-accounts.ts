import { keys } from '../../../shared/db/keys.ts';
import { noWallet } from '../../../shared/identity/users/new-user.ts';
import { newUid } from '../../../shared/model/ids.ts';
import { goodPassword, signInProject } from '../sign-in.ts';
import { sessionIdOf } from '../started.ts';
import type { Person, World } from '../world.ts';
import { budgetTools, type Cases, from, profile } from './case.ts';
import { listCases } from './cases-directory.ts';
import { importCases } from './cases-import.ts';

/** Sessions and users. */
export function accountCases(world: World) {
  const { basic } = world.project;
  const { person, place, call, both, again, memberOf } = budgetTools(world);
  const withSessions = (count: number) => async () => {
    const one = await person();
    for (let i = 1; i < count; i += 1) await world.session(one.uid);
    return one;
  };
  const refresh = ({ refresh_token, access_token: accessToken }: Person) =>
    call('POST /sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken });
  /** A user whom a backend impersonates, in a project that mails a notice about it. */
  const acted = async () => {
    const project = await world.newProject({ impersonation: 'notify' });
    const { uid } = await world.user({ project, verified: true });
    return { uid, auth: project.basic };
  };
  /** A user whose session has an active workspace. */
  const inWorkspace = async () => {
    const { owner, workspace_id } = await place();
    const { body } = await world.as(owner.bearer).sessions.selectWorkspace({ workspace_id });
    return { ...owner, access_token: body.access_token };
  };
  /** A user of a project that puts metadata into tokens. */
  const withClaims = async () => {
    const project = await world.newProject({ token_claims: ['app_metadata.plan', 'external_id'] });
    const given = { ...profile, email: 'claims@example.com', app_metadata: { plan: 'team' } };
    const { uid } = (await world.as(project).users.create(given)).body;
    return { project, uid };
  };
  const update = ({ uid }: Person, body: object, auth = basic) =>
    call(`PUT /users/${uid}`, auth, body);
  const remove = ({ uid }: Person, auth = basic, body?: object) =>
    call(`DELETE /users/${uid}`, auth, body);
  /** A user from a time when the deployment had no extended public key. */
  const withoutWallet = async () => {
    // A session created by its own request: the user item has the events of the last write.
    const one = await world.session((await person()).uid);
    await world.table.update(keys.user(one.uid), { wallet: noWallet });
    return one;
  };

  return {
    'sessions.create': {
      Basic: from(person, ({ uid }) => call('POST /sessions', basic, { uid })),
      'Basic, with claims of metadata': from(withClaims, ({ project, uid }) =>
        call('POST /sessions', project.basic, { uid }),
      ),
      'Basic, acting, with a mail': from(acted, ({ uid, auth }) =>
        call('POST /sessions', auth, { uid, actor: { id: 'grace', reason: 'Ticket 1' } }),
      ),
    },
    'sessions.list': both(
      withSessions(5),
      ({ uid }, auth) => call(`GET /sessions${auth === basic ? `?user_id=${uid}` : ''}`, auth),
      ', 5 sessions',
    ),
    'sessions.end': {
      Basic: from(person, (one) =>
        call(`DELETE /sessions/${sessionIdOf(one)}?user_id=${one.uid}`, basic),
      ),
      Bearer: from(person, async ({ uid, bearer }) =>
        call(`DELETE /sessions/${sessionIdOf(await world.session(uid))}`, bearer),
      ),
    },
    'sessions.endAll': {
      'Basic, 2 sessions': from(withSessions(2), ({ uid }) =>
        call(`DELETE /sessions?user_id=${uid}`),
      ),
      'Bearer, 2 others': from(withSessions(3), ({ bearer }) => call('DELETE /sessions', bearer)),
    },
    'sessions.signOut': {
      Bearer: from(person, ({ bearer }) => call('DELETE /sessions/current', bearer)),
    },
    'sessions.selectWorkspace': {
      Bearer: from(place, ({ owner, workspace_id }) =>
        call('POST /sessions/workspace', owner.bearer, { workspace_id }),
      ),
      'Bearer, none': from(inWorkspace, ({ bearer }) =>
        call('POST /sessions/workspace', bearer, { workspace_id: null }),
      ),
    },
    'sessions.introspect': {
      Basic: from(person, ({ access_token: token }) =>
        call('POST /sessions/introspect', basic, { token }),
      ),
      'Basic, in a workspace': from(inWorkspace, ({ access_token: token }) =>
        call('POST /sessions/introspect', basic, { token }),
      ),
    },
    'sessions.refresh': {
      Refresh: from(person, refresh),
      'Refresh, in a workspace': from(inWorkspace, refresh),
      'Refresh, with claims of metadata': from(async () => {
        const { project, uid } = await withClaims();
        return world.session(uid, project);
      }, refresh),
      'Refresh, repeated': again(from(person, refresh)),
    },
    'users.getMe': { Bearer: from(person, ({ bearer }) => call('GET /users/me', bearer)) },
    'users.list': listCases(world, '/users'),
    'users.create': {
      'Basic, known e-mail': from(person, ({ email }) => call('POST /users', basic, { email })),
      'Basic, known e-mail now verified': from(
        () => world.user(profile),
        ({ email }) => call('POST /users', basic, { email, email_verified: true }),
      ),
      'Basic, new e-mail': async () =>
        call('POST /users', basic, { ...profile, email: 'ada@example.com' }),
      'Basic, new e-mail with metadata': async () =>
        call('POST /users', basic, {
          ...{ ...profile, email: 'bob@example.com' },
          app_metadata: { plan: 'team' },
        }),
      'Basic, new e-mail with an external id': async () =>
        call('POST /users', basic, { ...profile, email: 'eve@example.com', external_id: 'eve' }),
    },
    'users.import': importCases(world),
    'users.get': {
      Basic: from(person, ({ uid }) => call(`GET /users/${uid}`)),
      'Basic, with no wallet yet': from(withoutWallet, ({ uid }) => call(`GET /users/${uid}`)),
      // A new uid: a uid belongs to one project, and other files use some.
      'Basic, new uid': async () => call(`GET /users/${newUid(new Date())}`),
    },
    'users.search': {
      'Basic, 20 users': async () => {
        const found = await Promise.all(Array.from({ length: 20 }, () => person()));
        return call('POST /users/search', basic, { uids: found.map(({ uid }) => uid) });
      },
    },
    'users.update': {
      Basic: from(person, (one) => update(one, { display_name: 'Ada' })),
      'Basic, new e-mail': from(person, (one) => update(one, { email: 'moved@example.com' })),
      'Basic, new external id': from(person, (one) => update(one, { external_id: 'new' })),
      'Basic, disabled with 2 sessions': from(withSessions(2), (one) =>
        update(one, { disabled: true }),
      ),
      'Basic, no longer disabled': from(person, async (one) => {
        await world.call(update(one, { disabled: true }));
        return update(one, { disabled: false });
      }),
      Bearer: from(person, (one) => update(one, { display_name: 'A' }, one.bearer)),
    },
    'users.delete': {
      'Basic, 2 sessions': from(withSessions(2), (one) => remove(one)),
      'Basic, again': again(from(person, (one) => remove(one))),
      'Basic, again, its job lost': from(person, async (one) => {
        await world.call(remove(one));
        await world.table.update(keys.user(one.uid), { completed_at: undefined, patient_until: 1 });
        return remove(one);
      }),
      'Bearer, owner of 1 workspace': from(place, ({ owner }) => remove(owner, owner.bearer)),
      'Bearer, with a password': async () => {
        const { signUp } = await signInProject(world);
        const one = await signUp('leaving@example.com', goodPassword, profile);
        return remove(one, one.bearer, { current_password: goodPassword });
      },
    },
    'users.getDeletion': {
      Basic: from(person, async (one) => {
        await world.call(remove(one));
        return call(`GET /users/${one.uid}/deletion`);
      }),
    },
    'users.export': {
      ...both(
        () => memberOf(5),
        ({ uid }, auth) => call(`GET /users/${uid}/export`, auth),
        ', 5 workspaces',
      ),
      'Basic, with a password': async () => {
        const { project, signUp } = await signInProject(world);
        const { uid } = await signUp('exported@example.com', goodPassword, profile);
        await world.as(project).users.search({ uids: [uid] });
        return call(`GET /users/${uid}/export`, project.basic);
      },
    },
  } satisfies Cases;
}
