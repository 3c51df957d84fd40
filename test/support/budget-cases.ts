import { byMember, keys } from '../../shared/db/schema.ts';
import { noWallet } from '../../shared/identity/users.ts';
import type { Operation } from '../../shared/contract/api.ts';
import type { Prepare } from './budget-case.ts';
import type { Call } from './call.ts';
import { eventCases } from './event-budget-cases.ts';
import { waysInCases } from './join-budget-cases.ts';
import { lifecycleCases } from './lifecycle-budget-cases.ts';
import { memberCases } from './member-budget-cases.ts';
import { signInCases } from './sign-in-budget-cases.ts';
import { webhookCases } from './webhook-budget-cases.ts';
import type { Person, World } from './world.ts';

type Place = { workspace_id: string; owner: Person };

/** What a profile usually holds: sizes, and so units, follow from it. */
const profile = {
  display_name: 'Augusta Ada King',
  name: { given_name: 'Augusta Ada', family_name: 'King', formatted: 'Augusta Ada King' },
  thumbnail_url: 'https://images.example.com/people/0192f0c1/thumbnail.png',
};

/** A call of every endpoint, for each kind of caller and each way it can go that costs differently. */
export function budgetCases(world: World): Record<Operation, Record<string, Prepare>> {
  const { basic } = world.project;
  const person = (given: { email?: string } = {}) =>
    world.user({ ...profile, verified: true, ...given });
  const place = async (): Promise<Place> => world.workspace({ owner: await person() });
  const crowd = async (members: number): Promise<Place> => {
    const found = await place();
    await seedMembers(world, found, members);
    return found;
  };
  const memberOf = async (count: number) => {
    const joining = await person();
    for (let i = 0; i < count; i += 1) await world.member(await place(), 'member', joining);
    return joining;
  };
  const list = ({ workspace_id }: Place, limit: number, auth = basic): Call => ({
    method: 'GET',
    path: `/workspaces/${workspace_id}/users`,
    auth,
    query: { status: 'accepted', limit },
  });
  const change = async (auth: (owner: Person) => string, verb: 'PUT' | 'DELETE') => {
    const { workspace_id, owner } = await place();
    const body = verb === 'PUT' ? { logo: 'https://example.com/logo.png' } : undefined;
    return { method: verb, path: `/workspaces/${workspace_id}`, auth: auth(owner), body };
  };
  const refresh = ({ refresh_token, access_token }: Person): Call => ({
    method: 'POST',
    path: '/sessions/token/refresh',
    auth: `Bearer ${refresh_token}`,
    body: { accessToken: access_token },
  });
  const byProject = () => basic;
  const byOwner = ({ bearer }: Person) => bearer;
  const get = (path: string, auth?: string): Call => ({ method: 'GET', path, auth });
  const post = (path: string, body: object): Call => ({ method: 'POST', path, auth: basic, body });

  /** As of a time when the deployment had no extended public key. */
  const withoutWallet = async () => {
    const one = await person();
    await world.table.update(keys.user(one.uid), { wallet: noWallet });
    return one;
  };
  const withSessions = async (count: number) => {
    const one = await person();
    for (let i = 1; i < count; i += 1) await world.session(one.uid);
    return one;
  };
  const sessionOf = ({ access_token }: Person): string =>
    JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).sid;
  const end = (path: string, auth: string): Call => ({ method: 'DELETE', path, auth });
  const disabling = ({ uid }: Person, disabled: boolean): Call => ({
    method: 'PUT',
    path: `/users/${uid}`,
    auth: basic,
    body: { disabled },
  });

  return {
    'sessions.create': {
      Basic: async () => post('/sessions', { uid: (await person()).uid }),
    },
    'sessions.list': {
      'Basic, 5 sessions': async () =>
        get(`/sessions?user_id=${(await withSessions(5)).uid}`, basic),
      'Bearer, 5 sessions': async () => get('/sessions', (await withSessions(5)).bearer),
    },
    'sessions.end': {
      Basic: async () => {
        const one = await person();
        return end(`/sessions/${sessionOf(one)}?user_id=${one.uid}`, basic);
      },
      Bearer: async () => {
        const one = await person();
        return end(`/sessions/${sessionOf(await world.session(one.uid))}`, one.bearer);
      },
    },
    'sessions.endAll': {
      'Basic, 2 sessions': async () =>
        end(`/sessions?user_id=${(await withSessions(2)).uid}`, basic),
      'Bearer, 2 others': async () => end('/sessions', (await withSessions(3)).bearer),
    },
    'sessions.signOut': {
      Bearer: async () => end('/sessions/current', (await person()).bearer),
    },
    'sessions.introspect': {
      Basic: async () => post('/sessions/introspect', { token: (await person()).access_token }),
    },
    'sessions.refresh': {
      Refresh: async () => refresh(await person()),
      'Refresh, repeated': async () => {
        const call = refresh(await person());
        await world.call(call);
        return call;
      },
    },
    'users.getMe': {
      Bearer: async () => get('/users/me', (await person()).bearer),
    },
    'users.create': {
      'Basic, known e-mail': async () => post('/users', { email: (await person()).email }),
      'Basic, known e-mail now verified': async () => {
        const { email } = await world.user(profile);
        return post('/users', { email, email_verified: true });
      },
      'Basic, new e-mail': async () => post('/users', { ...profile, email: 'ada@example.com' }),
    },
    'users.get': {
      Basic: async () => get(`/users/${(await person()).uid}`, basic),
      'Basic, with no wallet yet': async () => get(`/users/${(await withoutWallet()).uid}`, basic),
      'Basic, new uid': async () => get('/users/0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01', basic),
    },
    'users.search': {
      'Basic, 20 users': async () => {
        const found = await Promise.all(Array.from({ length: 20 }, () => person()));
        return post('/users/search', { uids: found.map(({ uid }) => uid) });
      },
    },
    'users.update': {
      Basic: async () => {
        const path = `/users/${(await person()).uid}`;
        return { method: 'PUT', path, auth: basic, body: { display_name: 'Ada' } };
      },
      'Basic, new e-mail': async () => {
        const path = `/users/${(await person()).uid}`;
        return { method: 'PUT', path, auth: basic, body: { email: 'moved@example.com' } };
      },
      'Basic, disabled with 2 sessions': async () => disabling(await withSessions(2), true),
      'Basic, no longer disabled': async () => {
        const one = await person();
        await world.call(disabling(one, true));
        return disabling(one, false);
      },
      Bearer: async () => {
        const { uid, bearer } = await person();
        return { method: 'PUT', path: `/users/${uid}`, auth: bearer, body: { display_name: 'A' } };
      },
    },
    ...signInCases(world, profile),
    'workspaces.create': {
      Basic: async () => post('/workspaces', { name: 'Acme', owner_id: (await person()).uid }),
    },
    'workspaces.list': {
      'Basic, 5 workspaces': async () =>
        get(`/workspaces?user_id=${(await memberOf(5)).uid}`, basic),
      'Bearer, 5 workspaces': async () => get('/workspaces', (await memberOf(5)).bearer),
    },
    'workspaces.get': {
      Basic: async () => get(`/workspaces/${(await place()).workspace_id}`, basic),
      Bearer: async () => {
        const { workspace_id, owner } = await place();
        return get(`/workspaces/${workspace_id}`, owner.bearer);
      },
    },
    'workspaces.update': {
      Basic: () => change(byProject, 'PUT'),
      Bearer: () => change(byOwner, 'PUT'),
    },
    ...lifecycleCases(world, profile),
    'workspaces.listJoined': {
      'Bearer, 5 workspaces': async () =>
        get('/workspaces/joined/search', (await memberOf(5)).bearer),
    },
    ...waysInCases(world, profile),
    ...memberCases(world, profile),
    'members.list': {
      'Basic, 20 members': async () => list(await crowd(150), 20),
      'Basic, 100 members': async () => list(await crowd(150), 100),
      'Basic, 20 members, offset 120': async () => {
        const { query, ...call } = list(await crowd(150), 20);
        return { ...call, query: { ...query, offset: 120 } };
      },
      'Bearer, 20 members': async () => {
        const found = await crowd(150);
        return list(found, 20, found.owner.bearer);
      },
      'Basic, 20 members, found by a name': async () => {
        const found = await place();
        for (let i = 1; i < 20; i += 1) await world.member(found, 'member', await person());
        await world.drainStream();
        const { query, ...call } = list(found, 20);
        return { ...call, query: { ...query, query: 'augusta ada' } };
      },
    },
    ...eventCases(world),
    ...webhookCases(world),
    'discovery.jwks': { Anyone: async () => get('/.well-known/jwks.json') },
    'discovery.openidConfiguration': {
      Anyone: async () => get('/.well-known/openid-configuration'),
    },
    'docs.home': { Anyone: async () => get('/') },
    'docs.openapi': { Anyone: async () => get('/openapi.json') },
    'docs.page': { Anyone: async () => get('/docs') },
    'docs.asset': { Anyone: async () => get('/docs/swagger-ui.css') },
  };
}

/** Puts copies of the owner's member item into a workspace, each of a user who is not there, until it has `count`. */
export async function seedMembers(
  { table }: World,
  { workspace_id, owner }: Place,
  count: number,
): Promise<void> {
  const model = await table.get(keys.member(workspace_id, owner.uid));
  const members = Array.from({ length: count - 1 }, (_, i) => {
    const uid = `0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;
    return {
      ...model,
      ...keys.member(workspace_id, uid),
      ...byMember('accepted', uid, workspace_id),
      user_id: uid,
      role: 'member',
    };
  });
  await table.putAll(members);
  await table.update(keys.workspace(workspace_id), { total_member_count: count });
}
