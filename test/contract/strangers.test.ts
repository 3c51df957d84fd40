import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { routes } from '#shared/contract/api.ts';
import { takesKey } from '#shared/contract/key-access.ts';
import { keys } from '#shared/db/keys.ts';
import { expectSame, unknownId, unknownWorkspaceId } from '../support/expectations.ts';
import { sessionIdOf } from '../support/started.ts';
import { type Person, startWorld, type TestProject } from '../support/world.ts';
import { routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

const world = await startWorld();
const call = routeCaller(world);
type Route = (typeof routes)[number];
/** The ids in a request. */
type Ids = Record<
  'uid' | 'workspace_id' | 'session_id' | 'webhook_id' | 'key_id' | 'passkey_id',
  string
>;

const missing: Ids = {
  uid: unknownId,
  workspace_id: unknownWorkspaceId,
  session_id: unknownId,
  webhook_id: `whk-${unknownId}`,
  key_id: `key-${unknownId}`,
  passkey_id: '0'.repeat(43),
};
const keyOf = async ({ basic }: TestProject, workspace_id: string, role = 'member') => {
  const path = `/workspaces/${workspace_id}/api_keys`;
  const { body } = await world.call('POST', path, basic, { name: 'CI', role });
  return body as { key_id: string; key: string };
};
const webhook = async ({ basic }: TestProject): Promise<string> => {
  const { body } = await world.call('POST', '/webhooks', basic, { url: 'https://example.com/' });
  return body.webhook_id;
};
const passkey = async ({ uid }: Person, project_id: string): Promise<string> => {
  const passkey_id = randomBytes(32).toString('base64url');
  await world.table.put({ ...keys.passkey(uid, passkey_id), passkey_id, uid, project_id });
  return passkey_id;
};
let existing: Ids;
let foreignProject: TestProject;
let foreigner: Person;
let foreign: Ids;
let neighbour: Person;
/** The key of another workspace of the project, which is an admin there. */
let nextDoor: string;
let before: unknown[];

beforeAll(async () => {
  const { workspace_id, owner } = await world.workspace();
  existing = {
    workspace_id,
    uid: owner.uid,
    session_id: sessionIdOf(owner),
    webhook_id: await webhook(world.project),
    key_id: (await keyOf(world.project, workspace_id)).key_id,
    passkey_id: await passkey(owner, world.project.project_id),
  };
  neighbour = await world.user();
  const next = await world.workspace();
  nextDoor = `Bearer ${(await keyOf(world.project, next.workspace_id, 'admin')).key}`;
  // Its use is recorded once a day.
  await world.call('GET', `/workspaces/${next.workspace_id}`, nextDoor);
  // GET /users/{uid} creates no users here; otherwise it would create a missing user.
  foreignProject = await world.newProject({ create_users_on_get: false });
  foreigner = await world.user({ project: foreignProject });
  const { workspace_id: elsewhere } = await world.workspace({ owner: foreigner });
  foreign = {
    uid: foreigner.uid,
    workspace_id: elsewhere,
    session_id: sessionIdOf(foreigner),
    webhook_id: await webhook(foreignProject),
    key_id: (await keyOf(foreignProject, elsewhere)).key_id,
    passkey_id: await passkey(foreigner, foreignProject.project_id),
  };
  before = await world.table.all();
});

const parts = ['params', 'query', 'body'] as const;

/** The kind of id in a field, by the values that it accepts; session ids have the format of user ids. */
function idOf(name: string, schema: z.ZodType): { kind: keyof Ids; isList: boolean } | undefined {
  const accepts = (value: unknown) => schema.safeParse(value).success;
  try {
    if (accepts('x') || accepts(['x'])) return undefined;
    if (accepts(missing.key_id)) return { kind: 'key_id', isList: false };
    if (name === 'passkey_id') return { kind: name, isList: false };
    if (accepts(missing.webhook_id)) return { kind: 'webhook_id', isList: false };
    if (accepts(unknownWorkspaceId)) return { kind: 'workspace_id', isList: false };
    const isList = accepts([unknownId]);
    const kind = name === 'session_id' ? name : 'uid';
    return isList || accepts(unknownId) ? { kind, isList } : undefined;
  } catch {
    // Its check is asynchronous, so it is an e-mail or a domain, not an id.
    return undefined;
  }
}

/** The places where a route accepts an id: `params.workspace_id`. */
function placesOf(route: Route) {
  return parts.flatMap((part) =>
    Object.entries(route[part]?.shape ?? {}).flatMap(([name, schema]) => {
      const id = idOf(name, schema as z.ZodType);
      // A body may repeat an id of the path; it must then be the same.
      const repeated = part === 'body' && route.params?.shape[name] !== undefined;
      // It is only compared with a value that the caller may read.
      const readOnly = (schema as z.ZodType).meta()?.['readOnly'] === true;
      return id && !repeated && !readOnly ? [{ ...id, part, name, place: `${part}.${name}` }] : [];
    }),
  );
}

/** The route's sample with `ids` in these places, and `own` in the others that it needs. */
function withIds(route: Route, places: readonly string[], ids: Ids, own: Ids) {
  const sample = sampleOf(route) as Record<string, Record<string, unknown>>;
  // Such as the current password, which no user here has.
  if (route.body?.safeParse({}).success) sample['body'] = {};
  for (const { part, name, kind, isList, place } of placesOf(route)) {
    const fields = sample[part] ?? {};
    const chosen = places.includes(place);
    if (!chosen && fields[name] === undefined) continue;
    const id = (chosen ? ids : own)[kind];
    fields[name] = isList ? [id] : id;
  }
  return sample as unknown as ReturnType<typeof sampleOf>;
}

const naming = routes.filter((route) => route.auth.length > 0 && placesOf(route).length > 0);

/** The responses for existing and for missing ids must be equal, and reveal nothing. */
async function expectNoDifference(route: Route, auth: string, places: string[], own: Ids) {
  if (places.length === 0) return;
  const [one, other] = [
    await call(route, { auth, ...withIds(route, places, existing, own) }),
    await call(route, { auth, ...withIds(route, places, missing, own) }),
  ];
  expectSame(one, other);
  const { status, body } = one;
  const nothingFound = status === 200 && (body.total === 0 || body.valid === false);
  expect(nothingFound || [403, 404].includes(status), `${status} ${JSON.stringify(body)}`).toBe(
    true,
  );
}

const strangers = {
  "another project's backend": 'project',
  'a user of another project': 'access',
  'a user of the project without a role': 'access',
} as const;
const cases = naming.flatMap((route) =>
  Object.entries(strangers)
    .filter(([, scheme]) => route.auth.includes(scheme))
    .map(([who]) => [route.name, who, route] as const),
);

test.each(cases)(
  '%s: gives %s the same response for an existing and a missing resource',
  async (_, who, route) => {
    const places = placesOf(route).map(({ place }) => place);
    if (who === 'a user of the project without a role') {
      const own = { ...existing, uid: neighbour.uid, session_id: sessionIdOf(neighbour) };
      await expectNoDifference(route, neighbour.bearer, places, own);
      for (const kind of ['workspace_id', 'session_id']) {
        const alone = places.filter((place) => place.endsWith(kind));
        await expectNoDifference(route, neighbour.bearer, alone, own);
      }
      return;
    }
    const auth = who === 'a user of another project' ? foreigner.bearer : foreignProject.basic;
    await expectNoDifference(route, auth, places, foreign);
    for (const place of places) await expectNoDifference(route, auth, [place], foreign);
  },
);

test.each(
  naming
    .filter((route) => takesKey(route, 'workspace'))
    .map((route) => [route.name, route] as const),
)(
  '%s: gives a key of another workspace the same response for an existing and a missing resource',
  async (_, route) => {
    const places = placesOf(route).map(({ place }) => place);
    await expectNoDifference(route, nextDoor, places, existing);
    await expectNoDifference(route, nextDoor, ['params.workspace_id'], existing);
  },
);

test('the test covers every route that names a resource', () => {
  const inPath = routes.filter(({ path }) => /\{(?!project_id)\w*id\}/.test(path));
  expect(naming).toEqual(expect.arrayContaining(inPath));
  expect(naming.length).toBeGreaterThan(inPath.length);
});

test('none of these requests has written anything', async () => {
  expect(await world.table.all()).toEqual(before);
});
