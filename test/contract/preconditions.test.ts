import { describe, expect, test } from 'vitest';
import { type Operation, routes } from '#shared/contract/api.ts';
import { takesIdempotencyKey } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import { doneAfter } from '../faults/fault.ts';
import { budgetCases } from '../support/budgets/cases.ts';
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

const cases = budgetCases(world);
/** The case of a route that changes an existing resource. */
const labels: Partial<Record<Operation, string>> = {
  'users.delete': 'Basic, 2 sessions',
  'workspaces.setAllowedDomains': 'Basic, one domain',
};
/** Another change of a resource, by its path. */
const others: [path: RegExp, below: string, body: object][] = [
  [/\/metadata$/, '', { app_metadata: { plan: 'another' } }],
  [/^\/workspaces\/.*\/users\//, '/role', { role: 'admin' }],
  [/\/roles\//, '', { permissions: [], description: 'Another' }],
  [/^\/users\//, '', { about_me: 'Another' }],
  [/^\/(?:workspaces|permissions|webhooks)\//, '', { description: 'Another' }],
];

async function prepareCase(name: Operation): Promise<Scene> {
  const change = await cases[name][labels[name] ?? 'Basic']?.();
  if (!change) throw new Error(`${name} has no case that changes what exists.`);
  // A member has one version, with its role, suspension and metadata.
  const path = change.path
    .replace(/^(\/workspaces\/.*\/users\/[^/]+)\/.*/, '$1')
    .replace(/\/allowed_domains$/, '');
  const [, below, body] = others.find(([each]) => each.test(path)) ?? [];
  const { auth } = change;
  return { path, other: { method: 'PUT', path: `${path}${below}`, auth, body }, change };
}

/** A workspace, and the change of its name. */
async function renaming() {
  const { workspace_id } = await world.workspace();
  const path = `/workspaces/${workspace_id}`;
  return { path, change: request('PUT', path, { name: 'New' }) };
}

const conditional = routes.filter(({ ifMatch: schema }) => schema);

const read = async ({ path, other }: Scene) => {
  const { status, headers, body } = await world.call({
    method: 'GET',
    path,
    auth: other.auth,
  });
  return { status, etag: headers.get('etag') ?? '', body };
};

/** Metadata that nobody has set yet: the version is that of the user or workspace. */
const firstMetadata = (['users', 'workspaces'] as const).flatMap((of) =>
  (['PUT', 'PATCH'] as const).map((method) => ({
    name: `the first metadata of ${of}, by ${method}`,
    etag: true,
    prepare: async (): Promise<Scene> => {
      const { owner, workspace_id } = await world.workspace();
      const path = `/${of}/${of === 'users' ? owner.uid : workspace_id}/metadata`;
      const set = (verb: string, plan: string) => request(verb, path, { app_metadata: { plan } });
      return { path, other: set('PUT', 'team'), change: set(method, 'free') };
    },
  })),
);

describe.each([
  ...conditional.map(({ name, etag }) => ({ name, etag, prepare: () => prepareCase(name) })),
  ...firstMetadata,
])('$name', ({ prepare, etag: answersOne }) => {
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
  const { path } = await renaming();
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
  const { path, change } = await prepareCase('webhooks.update');
  const { body } = await world.call(request('GET', path));
  // The clock of another machine is ahead.
  const modified_at = new Date(Date.now() + 5_000).toISOString();
  await world.table.update(keys.webhook(world.project.project_id, body.webhook_id), {
    modified_at,
  });
  const etag = await etagOf(path);
  const [first, second] = ['user.created', 'user.deleted'].map((type) =>
    ifMatch({ ...change, body: { event_types: [type] } }, etag),
  ) as [Call, Call];
  faults.beforeWrite(async () => expect((await world.call(second)).status).toBe(200));
  expectProblem(await world.call(first), 'precondition_failed');
});

test('empty elements of an If-Match list are ignored', async () => {
  const { path, change } = await renaming();
  for (const list of [(etag: string) => `,${etag}`, (etag: string) => `"a",, \t,${etag} , `])
    expect((await world.call(ifMatch(change, list(await etagOf(path))))).status).toBe(200);
  expectProblem(await world.call(ifMatch(change, ', "a",,"b",')), 'precondition_failed');
});

test('an invalid If-Match is refused', async () => {
  const { path, change } = await renaming();
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
