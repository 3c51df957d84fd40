import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { startWorld } from '../support/world.ts';
import { sampleOf, schemaOf } from './samples.ts';

/** RFC 9562: a UUID is the same in any case. */

const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';
const named = /^(?:uid|uids|user_id|owner_id|ownership_offered_to)$/;

/** The places where a route accepts a uid, by the names of uid fields. */
const places = routes.flatMap((route) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = route[part];
    const properties = Object.entries(schema ? (schemaOf(schema).properties ?? {}) : {});
    return properties.flatMap(([name, { type }]) => {
      const at = `${route.name} ${part}.${name}`;
      return schema && named.test(name) ? [{ at, schema, route, part, name, type }] : [];
    });
  }),
);

test('the test covers every route that names a user', () => {
  const inPath = routes.filter(({ path }) => /\{(?:uid|user_id)\}/.test(path));
  expect(inPath.length).toBeGreaterThan(10);
  const found = new Set(places.filter(({ part }) => part === 'params').map(({ route }) => route));
  expect(inPath.filter((route) => !found.has(route))).toEqual([]);
  expect(places.filter(({ part }) => part !== 'params').length).toBeGreaterThan(8);
});

test.each(places)('$at: reads upper case as lower case', async (place) => {
  const { schema, route, part, name, type } = place;
  const parse = async (text: string) => {
    const sample = { ...sampleOf(route)[part], [name]: type === 'array' ? [text] : text };
    return (await schema.parseAsync(sample))[name];
  };
  const read = await parse(uid);
  expect(read).toEqual(type === 'array' ? [uid] : uid);
  expect(await parse(uid.toUpperCase())).toEqual(read);
});

describe('over HTTP', async () => {
  const world = await startWorld();
  const upper = (text: string) => text.toUpperCase();

  test('a user is found, signed in and listed by a uid in upper case', async () => {
    const { basic } = world.project;
    const made = await world.user();
    const same = { status: 200, body: { uid: made.uid } };
    expect(await world.call('GET', `/users/${upper(made.uid)}`, basic)).toMatchObject(same);
    expect(await world.call('PUT', `/users/${upper(made.uid)}`, made.bearer, {})).toMatchObject(
      same,
    );
    const session = await world.call('POST', '/sessions', basic, { uid: upper(made.uid) });
    expect([session.status, session.body.uid]).toEqual([201, made.uid]);
    const sessions = await world.call('GET', `/sessions?user_id=${upper(made.uid)}`, basic);
    expect(sessions.body).toMatchObject({ total: 2 });
    const own = { name: 'Engines', owner_id: upper(made.uid) };
    const workspace = await world.call('POST', '/workspaces', basic, own);
    expect([workspace.status, workspace.body.owner_id]).toEqual([201, made.uid]);
    const member = `/workspaces/${workspace.body.workspace_id}/users/${upper(made.uid)}`;
    expect(await world.call('GET', member, made.bearer)).toMatchObject({
      status: 200,
      body: { user_id: made.uid },
    });
  });

  test('the same Idempotency-Key and uid, in any case, are one request', async () => {
    const { uid: made } = await world.user();
    const send = (of: string) =>
      world.call({
        method: 'PUT',
        path: `/users/${of}`,
        auth: world.project.basic,
        headers: { 'idempotency-key': 'a-uid-in-either-case' },
        body: { display_name: 'Once' },
      });
    const first = await send(made);
    const second = await send(upper(made));
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});
