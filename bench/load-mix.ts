import { randomUUID } from 'node:crypto';
import type { Person, Send } from './load-people.ts';

/** Something that a person or their back end does, in one request or a few, and how often among a hundred. */
export type Step = {
  name: string;
  often: number;
  run: (person: Person, send: Send) => Promise<unknown>;
};

const as = (authorization: string) => (method: string, path: string, body?: unknown) => ({
  method,
  path,
  authorization,
  body,
  ...(method !== 'GET' && { idempotencyKey: randomUUID() }),
});
const personally = ({ access }: Person) => as(`Bearer ${access}`);
const project = ({ basic }: Person) => as(basic);
let writes = 0;

/** What is sent, and how often: seven reads to three writes. Every answer is looked at, for it must be the caller's own. */
export const mix: Step[] = [
  {
    name: 'who am I',
    often: 18,
    run: (me, send) => send(personally(me)('GET', '/users/me'), 200, ({ uid }) => uid === me.uid),
  },
  {
    name: 'workspaces that I joined',
    often: 8,
    run: (me, send) =>
      send(personally(me)('GET', '/workspaces/joined/search'), 200, (list) =>
        (list as unknown as { workspace_id: string }[]).some(
          ({ workspace_id }) => workspace_id === me.own,
        ),
      ),
  },
  {
    name: 'workspace',
    often: 8,
    run: (me, send) =>
      send(
        personally(me)('GET', `/workspaces/${me.own}`),
        200,
        ({ workspace_id, owner_id }) => workspace_id === me.own && owner_id === me.uid,
      ),
  },
  {
    name: 'members, 20',
    often: 10,
    run: (me, send) =>
      send(
        personally(me)('GET', `/workspaces/${me.shared}/users?status=accepted&limit=20`),
        200,
        ({ result }) => (result?.length ?? 0) > 1,
      ),
  },
  {
    name: 'members by name',
    often: 3,
    run: (me, send) =>
      send(
        personally(me)('GET', `/workspaces/${me.shared}/users?status=accepted&query=person-`),
        200,
      ),
  },
  {
    name: 'invitations of mine',
    often: 3,
    run: (me, send) => send(personally(me)('GET', '/workspaces/invited/search'), 200),
  },
  {
    name: 'sessions',
    often: 4,
    run: (me, send) =>
      send(personally(me)('GET', '/sessions'), 200, ({ result }) => (result?.length ?? 0) > 0),
  },
  {
    name: 'audit log, 20',
    often: 2,
    run: (me, send) => send(personally(me)('GET', `/workspaces/${me.own}/events?limit=20`), 200),
  },
  {
    name: 'user by e-mail',
    often: 6,
    run: (me, send) =>
      send(project(me)('POST', '/users', { email: me.email }), 200, ({ uid }) => uid === me.uid),
  },
  {
    name: 'users by uid',
    often: 3,
    run: (me, send) =>
      send(
        project(me)('POST', '/users/search', { uids: [me.guest, me.uid] }),
        200,
        ({ result }) => result?.[0]?.['uid'] === me.guest && result[1]?.['uid'] === me.uid,
      ),
  },
  {
    name: 'workspaces of a user',
    often: 3,
    run: (me, send) => send(project(me)('GET', `/workspaces?user_id=${me.uid}`), 200),
  },
  {
    name: 'feed, 20',
    often: 2,
    run: (me, send) => send(project(me)('GET', '/events?limit=20'), 200),
  },
  {
    name: 'change my profile',
    often: 6,
    async run(me, send) {
      const display_name = `Name ${(writes += 1)}`;
      const { uid } = me;
      await send(personally(me)('PUT', `/users/${uid}`, { display_name }), 200);
      // What one has written, one reads.
      await send(
        personally(me)('GET', '/users/me'),
        200,
        (user) => user['display_name'] === display_name,
      );
    },
  },
  {
    name: 'change my workspace',
    often: 6,
    async run(me, send) {
      const description = `Description ${(writes += 1)}`;
      const path = `/workspaces/${me.own}`;
      await send(personally(me)('PUT', path, { description }), 200);
      await send(personally(me)('GET', path), 200, (read) => read['description'] === description);
    },
  },
  { name: 'refresh', often: 6, run: refresh },
  { name: 'sign out and in', often: 1, run: signOutAndIn },
  {
    name: 'invite and revoke',
    often: 4,
    async run(me, send) {
      const path = `/workspaces/${me.own}/invitations`;
      const body = { email: `guest-${me.email.split('-')[1]}`, role: 'member', send_mail: false };
      const { user_id } = await send(personally(me)('POST', path, body), 201);
      await send(personally(me)('DELETE', `${path}/${user_id}`), 200);
    },
  },
  {
    name: 'add, promote and remove',
    often: 3,
    async run(me, send) {
      const path = `/workspaces/${me.own}/users`;
      const body = { user_id: me.guest, role: 'member' };
      await send(project(me)('POST', path, body), 201);
      await send(personally(me)('PUT', `${path}/${me.guest}/role`, { role: 'admin' }), 200);
      await send(personally(me)('DELETE', `${path}/${me.guest}`), 200);
    },
  },
  {
    name: 'make and revoke a join link',
    often: 2,
    async run(me, send) {
      const path = `/workspaces/${me.own}/join_links`;
      const { link_id } = await send(personally(me)('POST', path, { max_uses: 5 }), 201);
      await send(personally(me)('DELETE', `${path}/${link_id}`), 200);
    },
  },
  {
    name: 'make and delete a workspace',
    often: 2,
    async run(me, send) {
      const body = { name: 'For a moment', owner_id: me.uid };
      const { workspace_id } = await send(project(me)('POST', '/workspaces', body), 201);
      await send(personally(me)('DELETE', `/workspaces/${workspace_id}`), 200);
      await send(personally(me)('GET', `/workspaces/${workspace_id}`), 404);
    },
  },
];

async function refresh(me: Person, send: Send): Promise<void> {
  const body = { accessToken: me.access };
  const authorization = `Bearer ${me.refresh}`;
  const call = { method: 'POST', path: '/sessions/token/refresh', authorization, body };
  const { access_token: access = '', refresh_token = '' } = await send(call, 200);
  Object.assign(me, { access, refresh: refresh_token });
}

async function signOutAndIn(me: Person, send: Send): Promise<void> {
  const { project_id, email, password } = me;
  const authorization = `Bearer ${me.access}`;
  await send({ method: 'DELETE', path: '/sessions/current', authorization }, 200);
  await send(as(authorization)('GET', '/users/me'), 401);
  const call = {
    method: 'POST',
    path: '/sessions/password',
    body: { project_id, email, password },
  };
  const { access_token: access = '', refresh_token = '' } = await send(call, 201);
  Object.assign(me, { access, refresh: refresh_token });
}
