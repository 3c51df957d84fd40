import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { takesIdempotencyKey } from '#shared/contract/route.ts';
import { doneAfter } from '../faults/fault.ts';
import type { Call } from '../support/call.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { credentialFor, routeCaller } from './calls.ts';

const { faults, world } = await startFaultyWorld();
const { basic } = world.project;
const callRoute = routeCaller(world);

const request = (method: string, path: string, body?: object): Call => ({
  method,
  path,
  auth: basic,
  body,
});
const ifMatch = (call: Call, etag: string): Call => ({ ...call, headers: { 'if-match': etag } });
const etagOf = async (path: string): Promise<string> => {
  const { headers } = await world.call(request('GET', path));
  return headers.get('etag') ?? '';
};

/** A resource, another change of it, and the change that is sent with a precondition. */
type Scene = { path: string; other: Call; change: Call };

const workspace = async (change: (path: string) => Call): Promise<Scene> => {
  const { workspace_id } = await world.workspace();
  const path = `/workspaces/${workspace_id}`;
  const other = request('PUT', path, { description: 'Another' });
  return { path, other, change: change(path) };
};
const member = async (change: (path: string) => Call): Promise<Scene> => {
  const place = await world.workspace();
  const { uid } = await world.member(place);
  const path = `/workspaces/${place.workspace_id}/users/${uid}`;
  const other = request('PUT', `${path}/role`, { role: 'admin' });
  return { path, other, change: change(path) };
};
let people = 0;
const user = async (change: (path: string) => Call): Promise<Scene> => {
  people += 1;
  const { uid } = await world.user({ email: `edited${people}@example.com` });
  const path = `/users/${uid}`;
  const other = request('PUT', path, { about_me: 'Another' });
  return { path, other, change: change(path) };
};
/** Metadata of a user or workspace. */
const metadata = async (method: 'PUT' | 'PATCH', of: 'user' | 'workspace'): Promise<Scene> => {
  const scene = await (of === 'user' ? user : workspace)((path) => request('GET', path));
  const path = `${scene.path}/metadata`;
  const change = (plan: string) => request(method, path, { app_metadata: { plan } });
  return { path, other: change('team'), change: change('free') };
};
const memberMetadata = (method: 'PUT' | 'PATCH') => () =>
  member((path) => request(method, `${path}/metadata`, { app_metadata: { desk: 1 } }));
const webhook = async (change: (path: string) => Call): Promise<Scene> => {
  const { basic: auth } = await world.newProject();
  const as = (call: Call): Call => ({ ...call, auth });
  const { body } = await world.call(
    as(request('POST', '/webhooks', { url: 'https://example.com' })),
  );
  const path = `/webhooks/${body.webhook_id}`;
  const other = as(request('PUT', path, { description: 'Another' }));
  return { path, other, change: as(change(path)) };
};

/** A permission or role of a new project. */
const defined = async (path: string, body: object, change: Call): Promise<Scene> => {
  const { basic: auth } = await world.newProject();
  const other = { ...request('PUT', path, { ...body, description: 'Another' }), auth };
  await world.call({ ...request('PUT', path, body), auth });
  return { path, other, change: { ...change, path, auth } };
};
const permission = (change: Call) => defined('/permissions/invoice:read', {}, change);
/** A custom role of a workspace. */
const ownRole = async (change: Call): Promise<Scene> => {
  const project = await world.newProject({ workspace_roles: true });
  const { basic: auth } = project;
  const { workspace_id } = await world.workspace({ owner: await world.user({ project }) });
  const path = `/workspaces/${workspace_id}/roles/ws-editor`;
  await world.call({ ...request('PUT', path, { permissions: [] }), auth });
  const other = request('PUT', path, { permissions: [], description: 'Another' });
  return { path, other: { ...other, auth }, change: { ...change, path, auth } };
};
const role = (change: Call) => defined('/roles/clerk', { permissions: [] }, change);

const scenes: Record<string, () => Promise<Scene>> = {
  'users.update': () => user((path) => request('PUT', path, { display_name: 'Ada' })),
  'users.delete': () => user((path) => request('DELETE', path, {})),
  'workspaces.update': () => workspace((path) => request('PUT', path, { name: 'New' })),
  'workspaces.delete': () => workspace((path) => request('DELETE', path)),
  'workspaces.setAllowedDomains': () =>
    workspace((path) => request('PUT', `${path}/allowed_domains`, { allowed_domains: [] })),
  'members.remove': () => member((path) => request('DELETE', path)),
  'members.suspend': () =>
    member((path) => request('PUT', `${path}/suspension`, { suspended: true })),
  'members.changeRole': () => member((path) => request('PUT', `${path}/role`, { role: 'admin' })),
  'users.setMetadata': () => metadata('PUT', 'user'),
  'users.mergeMetadata': () => metadata('PATCH', 'user'),
  'workspaces.setMetadata': () => metadata('PUT', 'workspace'),
  'workspaces.mergeMetadata': () => metadata('PATCH', 'workspace'),
  'members.setMetadata': memberMetadata('PUT'),
  'members.mergeMetadata': memberMetadata('PATCH'),
  'permissions.set': () => permission(request('PUT', '', { description: 'New' })),
  'permissions.delete': () => permission(request('DELETE', '')),
  'roles.set': () => role(request('PUT', '', { permissions: [], name: 'New' })),
  'roles.delete': () => role(request('DELETE', '')),
  'workspaceRoles.set': () => ownRole(request('PUT', '', { permissions: [], name: 'New' })),
  'workspaceRoles.delete': () => ownRole(request('DELETE', '')),
  'webhooks.update': () => webhook((path) => request('PUT', path, { disabled: true })),
  'webhooks.delete': () => webhook((path) => request('DELETE', path)),
};

const conditional = routes.filter(({ ifMatch: schema }) => schema);

test('the test covers every route that accepts If-Match', () => {
  expect(Object.keys(scenes).toSorted()).toEqual(conditional.map(({ name }) => name).toSorted());
});

const read = async ({ path, other }: Scene) => {
  const { status, headers, body } = await world.call({
    method: 'GET',
    path,
    auth: other.auth,
  });
  return { status, etag: headers.get('etag') ?? '', body };
};

describe.each(conditional)('$name', ({ name, etag: answersOne }) => {
  const prepare = scenes[name] as () => Promise<Scene>;

  test('is applied to the version in If-Match', async () => {
    const scene = await prepare();
    const { etag } = await read(scene);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const { status, headers } = await world.call(ifMatch(scene.change, `"another", ${etag}`));
    expect(status).toBe(200);
    if (answersOne) expect(headers.get('etag')).toBe((await read(scene)).etag);
  });

  test('is not applied to another version, and nothing changes', async () => {
    const scene = await prepare();
    const { etag } = await read(scene);
    expect((await world.call(scene.other)).status).toBe(200);
    const before = await read(scene);
    expect(before.etag).not.toBe(etag);
    for (const stale of [etag, `W/${before.etag}`, '"another"'])
      expectProblem(await world.call(ifMatch(scene.change, stale)), 'precondition_failed');
    expect(await read(scene)).toEqual(before);
    expect((await world.call(ifMatch(scene.change, '*'))).status).toBe(200);
  });

  test('is not applied if another change is made in between', async () => {
    const scene = await prepare();
    const { etag } = await read(scene);
    const writes = new Set(['TransactWriteItems', 'UpdateItem']);
    faults.inject(
      doneAfter(() => world.call(scene.other)),
      { when: ({ operation }) => writes.has(operation) },
    );
    expectProblem(await world.call(ifMatch(scene.change, etag)), 'precondition_failed');
  });
});

test('one of many concurrent changes of one version is applied', async () => {
  const { workspace_id } = await world.workspace();
  const path = `/workspaces/${workspace_id}`;
  const etag = await etagOf(path);
  const edits = Array.from({ length: 50 }, (_, i) =>
    world.call(ifMatch(request('PUT', path, { name: `Edit ${i}` }), etag)),
  );
  const answers = await Promise.all(edits);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    expectProblem(answer, 'precondition_failed');
});

test('one of two changes is applied, even if the clock gives both the same time', async () => {
  const { path, change } = await webhook((to) =>
    request('PUT', to, { event_types: ['user.created'] }),
  );
  const seen = () => world.call({ method: 'GET', path, auth: change.auth });
  const { body } = await seen();
  // The clock of another machine is ahead.
  const ahead = new Date(Date.now() + 5_000).toISOString();
  const credential = Buffer.from(change.auth?.slice('Basic '.length) ?? '', 'base64').toString();
  const project_id = credential.split(':')[0] ?? '';
  await world.table.update(
    { pk: `WEBHOOKS#${project_id}`, sk: `WEBHOOK#${body.webhook_id}` },
    { modified_at: ahead },
  );
  const etag = (await seen()).headers.get('etag') ?? '';
  const other = ifMatch({ ...change, body: { event_types: ['user.deleted'] } }, etag);
  faults.beforeWrite(async () => expect((await world.call(other)).status).toBe(200));
  expectProblem(await world.call(ifMatch(change, etag)), 'precondition_failed');
});

test('empty elements of an If-Match list are ignored', async () => {
  const { path, change } = await workspace((to) => request('PUT', to, { name: 'New' }));
  for (const list of [(etag: string) => `,${etag}`, (etag: string) => `"a",, \t,${etag} , `])
    expect((await world.call(ifMatch(change, list(await etagOf(path))))).status).toBe(200);
  expectProblem(await world.call(ifMatch(change, ', "a",,"b",')), 'precondition_failed');
});

test('an invalid If-Match is refused', async () => {
  const { path, change } = await workspace((to) => request('PUT', to, { name: 'New' }));
  for (const wrong of ['etag', '"open', 'W/etag', '"a" "b"', ',', '*, "a"', '""x'])
    expectProblem(await world.call(ifMatch(change, wrong)), 'invalid_request', {
      errors: [
        {
          pointer: '/headers/if-match',
          detail: 'Must be * or quoted entity tags, as in an ETag header',
        },
      ],
    });
  expect((await world.call(request('GET', path))).body.name).toBe('Acme');
});

/** `If-None-Match` on a change applies it only if the resource does not have this version, or does not exist. */
test.each(routes.filter(takesIdempotencyKey))(
  '$name: refuses a precondition that it does not support',
  async (route) => {
    const person = await world.session(someone.uid);
    const auth = route.auth.includes('project') ? basic : person.bearer;
    const answer = await callRoute(route, {
      ...(route.auth.length > 0 && {
        auth: /refresh|cookie/.test(route.auth[0] ?? '')
          ? credentialFor(route, world, person)
          : auth,
      }),
      headers: { 'if-match': '"a"', 'if-none-match': '*' },
    });
    expect(answer.status).toBe(400);
    for (const name of [...(route.ifMatch ? [] : ['if-match']), 'if-none-match'])
      expect(answer.body.errors).toContainEqual({
        pointer: `/headers/${name}`,
        detail: 'Not supported by this operation',
      });
  },
);
const someone = await world.user();
