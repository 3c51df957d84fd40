import { refreshes } from '../shared/limits.ts';
import type { Server } from './child.ts';
import { type Call, connections, exchange, type Source } from './load.ts';

/** One endpoint under load, and the bare server's operation that makes the same DynamoDB calls. */
export type Scenario = { name: string; ours: Source; bare: Source };

type Fields = Record<string, string>;

const people = 120;
const crowds = 250;
/** Sessions of each connection: one may be refreshed only so often at once. */
const sessionsEach = 15;

/** Makes the data that the scenarios need, through the service itself. */
export async function prepare(service: Server): Promise<Scenario[]> {
  const { project_id = '', secret = '' } = service.ready;
  const basic = `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
  const make = async <T = Fields>(path: string, body: unknown): Promise<T> =>
    (await exchange(service.url, { method: 'POST', path, authorization: basic, body })) as T;

  const emails = Array.from({ length: people }, (_, i) => `person.number-${i}@example.com`);
  const users = await inTurn(emails, (email, i) =>
    make('/users', {
      email,
      email_verified: true,
      display_name: `Person ${i}`,
      name: { given_name: 'Person', family_name: `Number ${i}`, formatted: `Person Number ${i}` },
      thumbnail_url: `https://images.example.com/people/${i}/thumbnail.png`,
    }),
  );
  const uids = users.map(({ uid = '' }) => uid);
  const [me = ''] = uids;
  const workspace = async (owner_id: string) =>
    (await make('/workspaces', { name: 'Bench', owner_id }))['workspace_id'] ?? '';
  const big = await workspace(me);
  await inTurn(uids.slice(1), (user_id) =>
    make(`/workspaces/${big}/users`, { user_id, role: 'member' }),
  );
  for (let i = 0; i < 4; i += 1) await workspace(me);
  const owner = uids.at(-1) ?? '';
  const wids = await inTurn(Array.from({ length: crowds }), () => workspace(owner));
  const session = await make('/sessions', { uid: me });
  const bearer = `Bearer ${session['access_token']}`;
  const sid = sessionOf(session);

  const asBasic = (method: string, path: string, body?: unknown): Call => ({
    method,
    path,
    authorization: basic,
    body,
  });
  const asPerson = (path: string): Call => ({ method: 'GET', path, authorization: bearer });
  const bare = (operation: string, body: Fields): Call => ({
    method: 'POST',
    path: `/${operation}`,
    body,
  });
  const list = (limit: number): Scenario => ({
    name: `GET members, ${limit}`,
    ours: () => asBasic('GET', `/workspaces/${big}/users?status=accepted&limit=${limit}`),
    bare: () => bare('listMembers', { wid: big, limit: String(limit) }),
  });
  const pairs = joinPairs(wids, uids.slice(1, -1));
  const refreshers = uids.slice(1, connections + 1);
  const sessionsOf = (who: string[]) => inTurn(who, (uid) => make('/sessions', { uid }));
  // By connection; the session in use is the first.
  const sessions = await Promise.all(
    refreshers.map((uid) => sessionsOf(Array.from({ length: sessionsEach }, () => uid))),
  );
  const refreshed: number[] = [];
  const bareSessions = await sessionsOf(refreshers);
  const counters: number[] = [];

  return [
    {
      name: 'GET /users/me',
      ours: () => asPerson('/users/me'),
      bare: () => bare('getMe', { uid: me, sid }),
    },
    {
      name: 'POST /users, existing',
      ours: (i) => asBasic('POST', '/users', { email: emails[i] }),
      bare: (i) => bare('getByEmail', { project_id, email: emails[i] ?? '' }),
    },
    {
      name: 'GET joined/search',
      ours: () => asPerson('/workspaces/joined/search'),
      bare: () => bare('listJoined', { uid: me, sid }),
    },
    list(20),
    list(100),
    {
      name: 'POST /workspaces',
      ours: (i) => asBasic('POST', '/workspaces', { name: 'Bench', owner_id: uids[i + 1] }),
      bare: (i) => bare('createWorkspace', { name: 'Bench', owner_id: uids[i + 1] ?? '' }),
    },
    {
      name: 'POST /workspaces/join',
      ours: () => {
        const [workspace_id, user_id] = pairs.next().value ?? [];
        return user_id ? asBasic('POST', '/workspaces/join', { workspace_id, user_id }) : undefined;
      },
      bare: () => {
        const [wid, uid] = pairs.next().value ?? [];
        return uid && wid ? bare('join', { wid, uid }) : undefined;
      },
    },
    {
      name: 'POST token/refresh',
      ours: (i, last) => {
        const mine = sessions[i] ?? [];
        if (last) {
          mine[0] = last as Fields;
          const count = (refreshed[i] = (refreshed[i] ?? 0) + 1);
          if (count % refreshes.burst === 0) mine.shift();
        }
        if (!mine[0]) return undefined;
        const { access_token: accessToken, refresh_token } = mine[0];
        return {
          method: 'POST',
          path: '/sessions/token/refresh',
          authorization: `Bearer ${refresh_token}`,
          body: { accessToken },
        };
      },
      bare: (i, last) => {
        if (last) counters[i] = (last as { session: { counter: number } }).session.counter;
        const { uid = '' } = bareSessions[i] ?? {};
        const counter = String(counters[i] ?? 0);
        return bare('refresh', { uid, sid: sessionOf(bareSessions[i]), counter });
      },
    },
  ];
}

/** Each pair of a workspace and a user once, neighbours of different workspaces. */
function* joinPairs(wids: string[], uids: string[]): Generator<[string, string], undefined> {
  for (const uid of uids) for (const wid of wids) yield [wid, uid];
  return undefined;
}

/** The session id inside an access token. */
function sessionOf(session: Fields = {}): string {
  const claims = Buffer.from((session['access_token'] ?? '').split('.')[1] ?? '', 'base64url');
  return (JSON.parse(claims.toString('utf8')) as { sid: string }).sid;
}

/** Eight at a time, in order. */
async function inTurn<T, R>(all: T[], work: (each: T, i: number) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < all.length; i += 8) {
    done.push(...(await Promise.all(all.slice(i, i + 8).map((each, j) => work(each, i + j)))));
  }
  return done;
}
