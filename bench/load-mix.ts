import { equal, ok } from 'node:assert/strict';
import { bearer } from '../client/client.ts';
import { apiOf, type Fields } from './http.ts';
import { type Person, password, signedIn } from './load-people.ts';

/** An action of a user or their backend, in one or a few requests, and its share in percent. */
export type Step = { often: number; name: string; run: (person: Person) => Promise<unknown> };

const step = (often: number, name: string, run: Step['run']): Step => ({ often, name, run });
let writes = 0;

/** Seven reads to three writes. Each response is checked to be the caller's own. */
export const mix: Step[] = [
  step(18, 'who am I', async ({ me, uid }) => equal((await me('GET', '/users/me')).uid, uid)),
  step(8, 'workspaces that I joined', async ({ me, own }) => {
    const joined = (await me('GET', '/workspaces/joined/search')) as unknown as Fields[];
    ok(joined.some(({ workspace_id }) => workspace_id === own));
  }),
  step(8, 'workspace', async ({ me, own, uid }) =>
    equal((await me('GET', `/workspaces/${own}`)).owner_id, uid),
  ),
  step(10, 'members, 20', async ({ me, shared }) => {
    const path = `/workspaces/${shared}/users?status=accepted&limit=20`;
    ok((await me('GET', path)).result.length > 1);
  }),
  step(3, 'members by name', ({ me, shared }) =>
    me('GET', `/workspaces/${shared}/users?status=accepted&query=person-`),
  ),
  step(3, 'invitations of mine', ({ me }) => me('GET', '/workspaces/invited/search')),
  step(4, 'sessions', async ({ me }) => ok((await me('GET', '/sessions')).result.length > 0)),
  step(2, 'audit log, 20', ({ me, own }) => me('GET', `/workspaces/${own}/events?limit=20`)),
  step(6, 'user by e-mail', async ({ backend, email, uid }) =>
    equal((await backend('POST', '/users', { email }, 200)).uid, uid),
  ),
  step(3, 'users by uid', async ({ backend, guest, uid }) => {
    const { result } = await backend('POST', '/users/search', { uids: [guest, uid] }, 200);
    equal(result.map((user) => user['uid']).join(), `${guest},${uid}`);
  }),
  step(3, 'workspaces of a user', ({ backend, uid }) =>
    backend('GET', `/workspaces?user_id=${uid}`),
  ),
  step(2, 'feed, 20', ({ backend }) => backend('GET', '/events?limit=20')),
  step(6, 'change my profile', async ({ me, uid }) => {
    const display_name = `Name ${(writes += 1)}`;
    await me('PUT', `/users/${uid}`, { display_name });
    equal((await me('GET', '/users/me')).display_name, display_name);
  }),
  step(6, 'change my workspace', async ({ me, own }) => {
    const description = `Description ${(writes += 1)}`;
    await me('PUT', `/workspaces/${own}`, { description });
    equal((await me('GET', `/workspaces/${own}`)).description, description);
  }),
  step(6, 'refresh', async (person) => {
    const { access_token: accessToken, refresh_token = '' } = person.tokens;
    const authorization = bearer(refresh_token);
    // Without an Idempotency-Key: a repeated refresh returns the same tokens anyway.
    const refresh = apiOf((call) => person.send({ ...call, authorization }));
    const tokens = await refresh('POST', '/sessions/token/refresh', { accessToken }, 200);
    Object.assign(person, signedIn(person.send, tokens));
  }),
  step(1, 'sign out and in', async (person) => {
    const { send, anyone, me, project_id, email } = person;
    await me('DELETE', '/sessions/current');
    await me('GET', '/users/me', undefined, 401);
    const tokens = await anyone('POST', '/sessions/password', { project_id, email, password });
    Object.assign(person, signedIn(send, tokens));
  }),
  step(4, 'invite and revoke', async ({ me, own, email }) => {
    const path = `/workspaces/${own}/invitations`;
    const body = { email: `guest-${email.split('-')[1]}`, role: 'member', send_mail: false };
    const { user_id } = await me('POST', path, body);
    await me('DELETE', `${path}/${user_id}`);
  }),
  step(3, 'add, promote and remove', async ({ me, backend, own, guest }) => {
    const path = `/workspaces/${own}/users`;
    await backend('POST', path, { user_id: guest, role: 'member' });
    await me('PUT', `${path}/${guest}/role`, { role: 'admin' });
    await me('DELETE', `${path}/${guest}`);
  }),
  step(2, 'make and revoke a join link', async ({ me, own }) => {
    const path = `/workspaces/${own}/join_links`;
    const { link_id } = await me('POST', path, { max_uses: 5 });
    await me('DELETE', `${path}/${link_id}`);
  }),
  step(2, 'make and delete a workspace', async ({ me, backend, uid }) => {
    const body = { name: 'For a moment', owner_id: uid };
    const path = `/workspaces/${(await backend('POST', '/workspaces', body)).workspace_id}`;
    await me('DELETE', path);
    await me('GET', path, undefined, 404);
  }),
];

/** The step at this fraction, from 0 to 1, of the mix. */
export function choose(part: number): Step {
  let left = part * mix.reduce((sum, { often }) => sum + often, 0);
  return mix.find(({ often }) => (left -= often) < 0) as Step;
}
