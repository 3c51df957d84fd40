import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { grants } from '../lib/grants.ts';
import { fromSource } from '../local/load.ts';
import { enforceGrants, rightsOf } from '../local/permissions.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { expectProblem } from './support/expectations.ts';
import { type Person, startWorld } from './support/world.ts';

const world = await startWorld();
const { basic } = world.project;
const names = Object.keys(grants) as FunctionName[];

/** A day later no instance trusts a project or a key that it has read, or has noted a secret: each call is a first one. */
const aDayLater = () => vi.setSystemTime(Date.now() + 86_400_000);
const cold = async (method: string, path: string, auth?: string, body?: unknown) => {
  const answer = await world.call(method, path, auth, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  return answer.body;
};
const asProject = (method: string, path: string, body?: unknown) => {
  aDayLater();
  return cold(method, path, basic, body);
};
const asPerson = async ({ uid }: Person, method: string, path: string, body?: unknown) => {
  aDayLater();
  const { bearer } = await world.session(uid);
  // Past the caches of a project and of the keys, within the life of a token.
  vi.setSystemTime(Date.now() + 301_000);
  return cold(method, path, bearer, body);
};

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const ada = await world.user({ verified: true });
  const bob = await world.user({ verified: true });
  const { workspace_id } = await asProject('POST', '/workspaces', {
    name: 'Acme',
    owner_id: ada.uid,
  });
  const path = `/workspaces/${workspace_id}`;
  const either = async (method: string, to: string, body?: unknown) => {
    await asProject(method, to, body);
    await asPerson(ada, method, to, body);
  };
  const domains = (...allowed_domains: string[]) =>
    either('PUT', `${path}/allowed_domains`, { allowed_domains });
  const email = () => `new${Date.now()}@example.com`;
  const someone = () => world.user({ email: email(), verified: true });

  for (let i = 0; i < 2; i += 1) await asProject('POST', '/users', { email: 'eve@example.com' });
  await asProject('POST', '/users', { email: 'eve@example.com', email_verified: true });
  for (let i = 0; i < 2; i += 1)
    await asProject('GET', '/users/0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5aff');
  await asProject('POST', '/users/search', { uids: [ada.uid] });
  await asProject('POST', '/users/search', { uids: [ada.uid, bob.uid] });
  await asPerson(ada, 'GET', '/users/me');
  await either('PUT', `/users/${ada.uid}`, { display_name: 'Ada' });
  await asProject('PUT', `/users/${ada.uid}`, { email: email() });
  await asProject('PUT', `/users/${ada.uid}`, { email: 'ada@example.com' });

  await either('GET', path);
  await either('PUT', path, { name: 'New' });
  await domains('example.com');
  await domains();
  await domains('example.com');
  await asPerson(bob, 'POST', '/workspaces/join', { workspace_id, user_id: bob.uid });
  for (const by of [asProject, asPerson.bind(null, ada)]) {
    await by('POST', `${path}/users`, { user_id: (await someone()).uid, role: 'member' });
    const invited = await someone();
    await by('POST', `${path}/invitations`, { email: invited.email, role: 'member' });
    await by('POST', `${path}/users`, { user_id: invited.uid, role: 'admin' });
    const joining = await someone();
    await by('POST', `${path}/invitations`, { email: joining.email, role: 'member' });
    await asPerson(joining, 'GET', '/workspaces/invited/search');
    await asProject('POST', '/workspaces/join', { workspace_id, user_id: joining.uid });
    await by('POST', `${path}/invitations`, { email: email(), role: 'member' });
  }
  await asPerson(await someone(), 'GET', '/workspaces/invited/search');
  await either('GET', `${path}/users?status=accepted`);
  await either('GET', `${path}/users?status=pending`);
  for (const role of ['admin', 'member'])
    await asProject('PUT', `${path}/users/${bob.uid}/role`, { role });
  await asPerson(ada, 'PUT', `${path}/users/${bob.uid}/role`, { role: 'admin' });
  await asProject('GET', `/workspaces?user_id=${ada.uid}`);
  await asPerson(ada, 'GET', '/workspaces');
  await asPerson(ada, 'GET', '/workspaces/joined/search');

  aDayLater();
  const session = await world.session(bob.uid);
  vi.setSystemTime(Date.now() + 301_000);
  const refresh = `Bearer ${session.refresh_token}`;
  for (let i = 0; i < 2; i += 1) {
    await cold('POST', '/sessions/token/refresh', refresh, { accessToken: session.access_token });
    aDayLater();
  }

  const documents = ['openapi.json', 'docs', 'docs/start.js', '.well-known/openid-configuration'];
  for (const open of ['.well-known/jwks.json', ...documents, 'nowhere'])
    await cold('GET', `/${open}`);
  const { project_id } = await world.newProject();
  for (const request of [
    { action: 'list' },
    { action: 'rotate-key', project_id },
    { action: 'update', project_id, name: 'New' },
    { action: 'list-secrets', project_id },
    { action: 'rotate-key', project_id, keep: 0 },
    { action: 'list-secrets', project_id },
  ])
    await world.operate(request);
  await world.drainStream();
  const other = await asProject('POST', '/workspaces', { name: 'Other', owner_id: ada.uid });
  await asProject('DELETE', `/workspaces/${other.workspace_id}`);
  await asPerson(ada, 'DELETE', path);
  await world.drainStream();
  await world.secrets.rotate(await fromSource('keys.rotate'));
});
afterAll(() => vi.useRealTimers());

describe('used is granted, and granted is used', () => {
  test.each(names)('%s', (name) => {
    const used = [...(world.permissions.used.get(name) ?? [])].sort();
    expect(used).toEqual([...rightsOf(grants[name])].sort());
  });
});

test('an operation that is not granted fails, and says so only in the log', async () => {
  const { uid } = await world.user();
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.env['LOG_LEVEL'] = 'info';
  const less = enforceGrants({ ...grants, 'users.search': { table: ['GetItem'] } });
  const search = (uids: string[]) => world.call('POST', '/users/search', basic, { uids });
  const refused = await search([uid, '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5aff']);
  const granted = await search([uid]);
  less.stop();
  const log = stderr.mock.calls.map(([line]) => JSON.parse(String(line)));
  stderr.mockRestore();
  expectProblem(refused, 'internal_error');
  expect(log[0]).toMatchObject({ status: 500, cause: { name: 'AccessDeniedException' } });
  expect(granted.status).toBe(200);
});
