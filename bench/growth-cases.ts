import { basic, bearer } from '../client/client.ts';
import { limits } from '../shared/model/limits.ts';
import { addEvents, addMembers, addWorkspaces, type Table } from './growth-seed.ts';
import { type Answer, type Api, type Call, type Fields, inBatches } from './http.ts';
import type { Project } from './service-process.ts';

/** One endpoint, called at every size. */
export type GrowthCase = {
  name: string;
  /** Whether its calls and units must be the same at every size; if not, they grow as documented. */
  flat: boolean;
  /** Sends one request, the `i`th of all at all sizes. */
  send: (i: number) => Promise<Answer>;
};

/** Growing data, and the endpoints that read it. */
export type Growth = {
  name: string;
  sizes: number[];
  grow: (from: number, to: number) => Promise<void>;
  cases: GrowthCase[];
};

export type Tools = {
  url: string;
  table: Table;
  project: Project;
  /** For preparation. */
  backend: Api;
  /** For measurement: without an Idempotency-Key. */
  ask: (call: Call) => Promise<Answer>;
};

/** All growing data. `spare`: how often each case is called at all sizes together. */
export async function growthsOf(tools: Tools, spare: number): Promise<Growth[]> {
  const { url, backend, project, ask, table } = tools;
  const asBackend = basic(project.project_id, project.secret);
  const emails = Array.from({ length: spare + 4 }, (_, i) => `person.number-${i}@example.com`);
  const users = await inBatches(emails, (email, i) =>
    backend('POST', '/users', { email, email_verified: true, display_name: `Person ${i}` }),
  );
  const [owner = '', joiner = '', sleeper = '', reader = '', ...guests] = users.map(
    ({ uid = '' }) => uid,
  );
  const start = (uid: string) => backend('POST', '/sessions', { uid });
  const tokenOf = async (uid: string) => bearer((await start(uid))['access_token'] ?? '');
  const make = async (owner_id: string) =>
    (await backend('POST', '/workspaces', { name: 'Growing', owner_id }))['workspace_id'] ?? '';

  const get = (authorization: string, path: string) => () =>
    ask({ method: 'GET', path, authorization });
  const send = (method: string, authorization: string, path: string, body?: unknown) =>
    ask({ method, path, authorization, body });
  const flat = (name: string, each: GrowthCase['send']): GrowthCase => ({
    ...{ name, flat: true, send: each },
  });
  const growing = (name: string, each: GrowthCase['send']): GrowthCase => ({
    ...{ name, flat: false, send: each },
  });

  return [await members(), await workspaces(), await sessions(), await events()];

  async function members(): Promise<Growth> {
    const workspace_id = await make(owner);
    const me = await tokenOf(owner);
    const path = `/workspaces/${workspace_id}`;
    const list = `${path}/users?status=accepted&limit=20`;
    /** The link to the second page, which does not depend on the number of later pages. */
    let second: string | undefined;
    return {
      name: 'members of a workspace',
      sizes: [100, 1_000, 10_000, 100_000],
      async grow(from, to) {
        // Leaves room for the members that the cases add.
        const last = Math.min(to, limits.membersPerWorkspace - spare);
        await addMembers(table, { workspace_id, owner }, Math.max(1, from), last);
        second = await secondPage(list, me);
      },
      cases: [
        flat('GET /workspaces/{workspace_id}', get(me, path)),
        flat('PUT /workspaces/{workspace_id}', (i) =>
          send('PUT', me, path, { description: `Change ${i}` }),
        ),
        flat('GET members, 20', get(me, list)),
        flat('GET members, 20, second page', () =>
          ask({ method: 'GET', path: second ?? '', authorization: me }),
        ),
        flat('GET members by name, 1', get(me, `${list}&query=person%20000000000007`)),
        flat('POST member', (i) =>
          send('POST', asBackend, `${path}/users`, { user_id: guests[i], role: 'member' }),
        ),
        flat('GET member', (i) => get(me, `${path}/users/${guests[i]}`)()),
        flat('PUT role', (i) =>
          send('PUT', me, `${path}/users/${guests[i]}/role`, { role: 'admin' }),
        ),
        flat('DELETE member', (i) => send('DELETE', me, `${path}/users/${guests[i]}`)),
        flat('POST invitation', (i) =>
          send('POST', asBackend, `${path}/invitations`, {
            email: `invited.number-${i}@example.com`,
            role: 'member',
            send_mail: false,
          }),
        ),
      ],
    };
  }

  async function workspaces(): Promise<Growth> {
    const first = await make(owner);
    await backend('POST', `/workspaces/${first}/users`, { user_id: joiner, role: 'member' });
    const me = await tokenOf(joiner);
    return {
      name: 'workspaces of a user',
      sizes: [1, 10, 100, 1_000],
      grow: (from, to) =>
        addWorkspaces(table, { workspace_id: first, owner }, joiner, to - Math.max(1, from)),
      cases: [
        flat('GET /users/me', get(me, '/users/me')),
        flat('PUT /users/{uid}', (i) =>
          send('PUT', me, `/users/${joiner}`, { display_name: `Name ${i}` }),
        ),
        flat('GET /workspaces/{workspace_id}', get(me, `/workspaces/${first}`)),
        flat('GET /workspaces/invited/search', get(me, '/workspaces/invited/search')),
        growing(
          'GET /workspaces/joined/search?limit=1',
          get(me, '/workspaces/joined/search?limit=1'),
        ),
      ],
    };
  }

  async function sessions(): Promise<Growth> {
    let tokens: Fields = await start(sleeper);
    const me = bearer(tokens['access_token'] ?? '');
    return {
      name: 'sessions of a user',
      sizes: [1, 5, 50],
      async grow(from, to) {
        const made = await inBatches(Array<string>(to - Math.max(1, from)).fill(sleeper), start);
        // Each session may be refreshed 60 times at once.
        tokens = made[0] ?? tokens;
      },
      cases: [
        flat('GET /users/me', get(me, '/users/me')),
        flat('POST /sessions/token/refresh', async () => {
          const { access_token: accessToken, refresh_token = '' } = tokens;
          const path = '/sessions/token/refresh';
          const answer = await send('POST', bearer(refresh_token), path, { accessToken });
          tokens = JSON.parse(answer.text) as Fields;
          return answer;
        }),
        growing('GET /sessions', get(me, '/sessions')),
      ],
    };
  }

  async function events(): Promise<Growth> {
    const workspace_id = await make(reader);
    const { project_id } = project;
    const log = `/workspaces/${workspace_id}/events?limit=20`;
    let size = 0;
    return {
      name: 'events of a project',
      sizes: [100, 1_000, 10_000, 100_000],
      async grow(from, to) {
        await addEvents(table, { project_id, workspace_id }, from, to);
        size = to;
      },
      cases: [
        flat('GET /events, the oldest 20', get(asBackend, '/events?limit=20')),
        flat('GET /events, the newest 20', () =>
          get(asBackend, `/events?limit=20&after=${size - 20}`)(),
        ),
        flat('GET /events, nothing new', () => get(asBackend, `/events?after=${size}`)()),
        flat('GET events of the workspace, the oldest 20', get(asBackend, log)),
        flat('GET events of the workspace, the newest 20', () =>
          get(asBackend, `${log}&after=${size - 20}`)(),
        ),
      ],
    };
  }

  async function secondPage(path: string, authorization: string): Promise<string> {
    const { headers } = await fetch(`${url}${path}`, { headers: { authorization } });
    const [, cursor] = /[?&](cursor=[^&>]+)/.exec(headers.get('link') ?? '') ?? [];
    if (cursor === undefined) throw new Error(`${path} has no second page`);
    return `${path}&${cursor}`;
  }
}
