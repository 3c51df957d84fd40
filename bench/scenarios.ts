import { basic, bearer } from '../client/client.ts';
import { rolesVersionSortKey } from '../shared/db/key-prefixes.ts';
import { type Key, keys } from '../shared/db/keys.ts';
import { refreshes } from '../shared/model/rates.ts';
import {
  apiOf,
  ask,
  backendOf,
  type Call,
  connections,
  type Fields,
  inBatches,
  type Source,
} from './http.ts';
import type { Project, Server } from './service-process.ts';

/** One endpoint under load, and the bare server's operation that makes the same DynamoDB calls. */
export type Scenario = {
  name: string;
  ours: Source;
  bare: Source;
  /** The same calls, which read only the returned attributes. */
  projected?: Source;
  /** The equivalent of a peer (peers.ts). */
  peer?: string;
};

export const size = { people: 120, own: 20, crowds: 250 };
/** Sessions of each connection, because the rate of refreshes of one session is limited. */
const sessionsEach = 15;

/** Creates the data of the scenarios, through the service itself. */
export async function prepare(service: Server & Project): Promise<Scenario[]> {
  const { project_id, secret } = service;
  const backend = backendOf(service);
  const emails = Array.from({ length: size.people }, (_, i) => `person.number-${i}@example.com`);
  const users = await inBatches(emails, (email, i) =>
    backend('POST', '/users', {
      email,
      email_verified: true,
      display_name: `Person ${i}`,
      name: { given_name: 'Person', family_name: `Number ${i}`, formatted: `Person Number ${i}` },
      thumbnail_url: `https://images.example.com/people/${i}/thumbnail.png`,
    }),
  );
  const uids = users.map(({ uid = '' }) => uid);
  const [me = ''] = uids;
  const workspacesOf = async (count: number, owner_id: string) => {
    const bodies = Array.from({ length: count }, () => ({ name: 'Bench', owner_id }));
    const made = await inBatches(bodies, (body) => backend('POST', '/workspaces', body));
    return made.map(({ workspace_id = '' }) => workspace_id);
  };
  const [big = ''] = await workspacesOf(size.own, me);
  await inBatches(uids.slice(1), (user_id) =>
    backend('POST', `/workspaces/${big}/users`, { user_id, role: 'member' }),
  );
  const wids = await workspacesOf(size.crowds, uids.at(-1) ?? '');
  const session = await backend('POST', '/sessions', { uid: me });
  const sid = sessionOf(session);

  const send =
    (authorization: string) =>
    (method: string, path: string, body?: unknown): Call => ({ method, path, authorization, body });
  const asBackend = send(basic(project_id, secret));
  const asPerson = send(bearer(session['access_token'] ?? ''));
  const bare = (operation: string, body: object): Call => ({
    method: 'POST',
    path: `/${operation}`,
    body,
  });
  const listMembers = (as: string, by: typeof asBackend, limit: number): Scenario => ({
    name: `GET members, ${limit}, ${as}`,
    ours: () => by('GET', `/workspaces/${big}/users?status=accepted&limit=${limit}`),
    bare: () => bare('listMembers', { wid: big, limit }),
    projected: () => bare('listMembers', { wid: big, limit, projected: true }),
    peer: `members ${limit}`,
  });
  const pairs = joinPairs(wids, uids.slice(1, -1));
  const read = (...of: Key[]) => bare('read', { keys: of });
  const [, member = ''] = uids;
  await backend('PUT', '/permissions/invoice:read', {}, 201);
  await backend('PUT', '/roles/clerk', { permissions: ['invoice:read'] }, 201);
  await backend('PUT', `/workspaces/${big}/users/${member}/role`, { role: 'clerk' });
  const check = { workspace_id: big, user_id: member, permissions: ['invoice:read'] };
  const { key_id = '', key = '' } = await apiOf(
    (call) => ask(service.url, call),
    bearer(session['access_token'] ?? ''),
  )('POST', '/users/me/api_keys', { name: 'Bench' });
  const rolesVersion = keys.roles(project_id, rolesVersionSortKey);

  return [
    {
      name: 'GET /users/me',
      ours: () => asPerson('GET', '/users/me'),
      bare: () => bare('getMe', { uid: me, sid }),
      peer: 'me',
    },
    {
      name: 'POST /users, existing',
      ours: (i) => asBackend('POST', '/users', { email: emails[i] }),
      bare: (i) => bare('getByEmail', { project_id, email: emails[i] }),
    },
    {
      name: `GET joined/search, ${size.own}`,
      ours: () => asPerson('GET', '/workspaces/joined/search'),
      bare: () => bare('listJoined', { uid: me, sid }),
      projected: () => bare('listJoined', { uid: me, sid, projected: true }),
      peer: 'list',
    },
    listMembers('Basic', asBackend, 20),
    listMembers('Bearer', asPerson, 20),
    listMembers('Basic', asBackend, 100),
    {
      name: 'POST /workspaces',
      ours: (i) => asBackend('POST', '/workspaces', { name: 'Bench', owner_id: uids[i + 1] }),
      bare: (i) => bare('createWorkspace', { name: 'Bench', owner_id: uids[i + 1] }),
      peer: 'create',
    },
    {
      name: 'POST /workspaces/join',
      ours: () => {
        const [workspace_id, user_id] = pairs.next().value ?? [];
        const body = { workspace_id, user_id };
        return user_id ? asBackend('POST', '/workspaces/join', body) : undefined;
      },
      bare: () => {
        const [wid, uid] = pairs.next().value ?? [];
        return uid ? bare('join', { wid, uid }) : undefined;
      },
      peer: 'add',
    },
    {
      name: 'POST permissions/check',
      ours: () => asBackend('POST', '/permissions/check', { checks: [check] }),
      bare: () => read(keys.workspace(big), keys.member(big, member), rolesVersion),
    },
    {
      name: 'POST api_keys/verify',
      ours: () => asBackend('POST', '/api_keys/verify', { key }),
      bare: () => read(keys.user(me), keys.apiKey(keys.user(me), key_id), rolesVersion),
    },
    await refreshing('RS256', service),
    await refreshing('ES256', { ...service, ...service.projects[1] }),
  ];

  async function refreshing(algorithm: string, project: Server & Project): Promise<Scenario> {
    const ofProject = backendOf(project);
    const whoRefresh = Array.from({ length: connections }, (_, i) => `refresher-${i}@example.com`);
    const made = await inBatches(whoRefresh, (email) => ofProject('POST', '/users', { email }));
    const refreshers = made.map(({ uid = '' }) => uid);
    const sessionsOf = (who: string[]) =>
      inBatches(who, (uid) => ofProject('POST', '/sessions', { uid }));
    const all = await sessionsOf(
      refreshers.flatMap((uid) => Array<string>(sessionsEach).fill(uid)),
    );
    // By connection; the first session is the current one.
    const sessions = refreshers.map((_, i) => all.slice(i * sessionsEach, (i + 1) * sessionsEach));
    const refreshed = refreshers.map(() => 0);
    const bareSessions = await sessionsOf(refreshers);
    const counters = refreshers.map(() => 0);
    return {
      name: `POST token/refresh, ${algorithm}`,
      peer: 'refresh',
      ours: (i, last) => {
        const mine = sessions[i] ?? [];
        if (last) mine[0] = last;
        if (last && (refreshed[i] = (refreshed[i] ?? 0) + 1) % refreshes.burst === 0) mine.shift();
        if (!mine[0]) return undefined;
        const { access_token: accessToken, refresh_token = '' } = mine[0];
        return send(bearer(refresh_token))('POST', '/sessions/token/refresh', { accessToken });
      },
      bare: (i, last) => {
        if (last)
          counters[i] = (last as unknown as { session: { counter: number } }).session.counter;
        const ids = { uid: refreshers[i], sid: sessionOf(bareSessions[i]) };
        return bare('refresh', { ...ids, counter: counters[i] });
      },
    };
  }
}

/** Each pair of a workspace and a user once; neighbours have different workspaces. */
function* joinPairs(wids: string[], uids: string[]): Generator<[string, string], undefined> {
  for (const uid of uids) for (const wid of wids) yield [wid, uid];
  return undefined;
}

/** The session id inside an access token. */
function sessionOf(session: Fields | undefined): string {
  const claims = Buffer.from(session?.['access_token']?.split('.')[1] ?? '', 'base64url');
  return (JSON.parse(claims.toString('utf8')) as { sid: string }).sid;
}
