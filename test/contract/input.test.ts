import { beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { routes } from '#shared/contract/api.ts';
import { fallback } from '#shared/contract/fallback.ts';
import { bodyLimitOf, bodyTypesOf, type Route } from '#shared/contract/route.ts';
import { limits } from '#shared/model/limits.ts';
import { pathOf } from '../support/routes.ts';
import { type Person, startWorld } from '../support/world.ts';
import { credentialFor, expectStandard, pointersOf, routeCaller } from './calls.ts';
import {
  sampleOf,
  schemaOf,
  takesAnyName,
  textPlacesOf,
  wrongBodies,
  wrongParameters,
} from './samples.ts';

const world = await startWorld();
const call = routeCaller(world);
let person: Person;
let workspace_id: string;
let before: unknown[];
beforeAll(async () => {
  person = await world.user();
  ({ workspace_id } = await world.workspace({ owner: person }));
  before = await world.table.all();
});
/** Forms have a separate test: test/shared/http/oauth-routes.test.ts. */
const isForm = ({ accepts }: Route) => accepts === 'form';
const withBody = routes.filter((route) => route.body && !isForm(route));
/** OAuth requires that unknown parameters are ignored (RFC 6749, section 3.1). */
const ignoresUnknown = ({ query }: Route) =>
  query !== undefined && query.def.catchall === undefined;
/**
 * The first route of each kind to read: one reader knows of a route only whether its body is JSON or may be a merge
 * patch. It gets every malformed body there, and at each other route one of each kind.
 */
const readAlike = [...Map.groupBy(withBody, (route) => bodyTypesOf(route).join()).values()].flatMap(
  ([first]) => first ?? [],
);
const needsBody = ({ body }: (typeof routes)[number]) => !body?.safeParse({}).success;
const noNames = ['no_such_parameter', '__proto__', 'constructor'];
const withQuery = routes.filter(({ query }) => query);
const auth = (route: (typeof routes)[number]) => credentialFor(route, world, person);

describe('each invalid field is named by its pointer, and no other field', () => {
  test.each(withBody)('body of $name', async (route) => {
    const wrong = wrongBodies(route);
    expect(wrong.length).toBeGreaterThan(5);
    for (const { value, at } of wrong) {
      const answer = await call(route, { raw: JSON.stringify(value), auth: auth(route) });
      const what = `${at} of ${JSON.stringify(value).slice(0, 200)}`;
      expect([answer.status, ...pointersOf(answer)], what).toEqual([400, at]);
    }
  });

  test.each(routes.filter(({ params }) => params))('path of $name', async (route) => {
    const { params } = sampleOf(route);
    const wrong = wrongParameters(route, 'params');
    expect(wrong.length).toBeGreaterThan(0);
    for (const { name, value } of wrong) {
      const answer = await call(route, { params: { ...params, [name]: value }, auth: auth(route) });
      expect([answer.status, ...pointersOf(answer)], value).toEqual([400, `/path/${name}`]);
    }
  });

  test.each(routes)('query of $name', async (route) => {
    const { query } = sampleOf(route);
    // Valid values of OAuth parameters depend on the client: test/functions/oauth/authorize.test.ts.
    const isFree = (name: string, value: string) =>
      ignoresUnknown(route) &&
      (route.query as z.ZodObject).shape[name]?.safeParse(value).success === true;
    for (const { name, value } of wrongParameters(route, 'query')) {
      if (isFree(name, value)) continue;
      const answer = await call(route, { query: { ...query, [name]: value }, auth: auth(route) });
      expect([answer.status, ...pointersOf(answer)], `${name}=${value}`).toEqual([
        400,
        `/query/${name}`,
      ]);
    }
    for (const name of ignoresUnknown(route) ? [] : noNames) {
      const answer = await call(route, { query: { ...query, [name]: 'x' }, auth: auth(route) });
      expect([answer.status, ...pointersOf(answer)], name).toEqual([400, `/query/${name}`]);
    }
  });
});

describe('all invalid fields are named together', () => {
  const strict = routes.filter((route) => !isForm(route) && !ignoresUnknown(route));
  test.each(strict.filter(({ params, query, body }) => params ?? query ?? body))(
    '$name',
    async (route) => {
      const firstOf = <T extends { name: string; value: string }>(wrong: T[]) =>
        Object.fromEntries(wrong.toReversed().map(({ name, value }) => [name, value]));
      const params = { ...sampleOf(route).params, ...firstOf(wrongParameters(route, 'params')) };
      const query = firstOf(wrongParameters(route, 'query'));
      const fields = Object.entries((route.body && schemaOf(route.body).properties) ?? {});
      // Values that match no field and no part of one.
      const body = Object.fromEntries([
        ...fields.map(([name, field]) => [name, takesAnyName(field) ? 7 : { x: [] }]),
        ['unknown', 1],
      ]);
      const answer = await call(route, {
        params,
        query,
        ...(route.body && { body }),
        auth: auth(route),
      });
      const expected = [
        ...Object.keys(params).map((name) => `/path/${name}`),
        ...Object.keys(query).map((name) => `/query/${name}`),
        ...Object.keys(route.body ? body : {}).map((name) => `/body/${name}`),
      ];
      const pointers = pointersOf(answer).map((pointer) =>
        pointer.split('/').slice(0, 3).join('/'),
      );
      expect(answer.status).toBe(400);
      const named = [...new Set(pointers)].sort();
      // Only the first 20 are reported.
      if (pointers.length === 20) expect(expected).toEqual(expect.arrayContaining(named));
      else expect(named).toEqual(expected.sort());
    },
  );
});

describe('of more than 20 invalid fields, 20 are named', () => {
  test.each(withBody)('$name', async (route) => {
    const right = sampleOf(route).body ?? {};
    const wrong = async (fields: number) => {
      const unknown = Array.from({ length: fields }, (_, i) => [`unknown_${i}`, i]);
      const body = { ...right, ...Object.fromEntries(unknown) };
      const { status, body: answer } = await call(route, { body, auth: auth(route) });
      return [status, answer.errors.length];
    };
    expect(await wrong(20)).toEqual([400, 20]);
    expect(await wrong(21)).toEqual([400, 20]);
    // A duplicate name, in each of the parts: detected before the schema is checked.
    const raw = `{"a":[${Array.from({ length: 21 }, () => '{"x":1,"x":1}').join()}]}`;
    const { status, body } = await call(route, { raw, auth: auth(route) });
    expect([status, body.errors.length]).toEqual([400, 20]);
  });

  test('for fields that are checked against the table too', async () => {
    const row = (i: number) => ({ email: `row${i}@example.com`, role: 'no-such-role' });
    const answer = await world.call({
      method: 'POST',
      path: `/workspaces/${workspace_id}/invitations`,
      auth: world.project.basic,
      body: { invitations: Array.from({ length: 21 }, (_, i) => row(i)) },
    });
    expect([answer.status, pointersOf(answer).length]).toEqual([400, 20]);
  });
});

describe('a body that is not strict JSON', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const utf8 = (text: string) => new TextEncoder().encode(text);
  test.each<[string, string | Uint8Array, string]>([
    ['a missing closing brace', '{', '/body'],
    ['two values', '{}{}', '/body'],
    ['a trailing comma', '{} ,', '/body'],
    ['white space alone', ' \n\t\r ', '/body'],
    ['minus zero', '-0', '/body'],
    ['a comment', '{} // x', '/body'],
    ['single quotes', "{'a':1}", '/body'],
    ['NaN', '{"a":NaN}', '/body'],
    ['a duplicate name', '{"a":1,"a":2}', '/body/a'],
    ['a name twice, spelled otherwise', '{"a":1,"\\u0061":2}', '/body/a'],
    ['too deep', nested(limits.jsonDepth + 1), `/body/a${'/0'.repeat(limits.jsonDepth - 1)}`],
    ['a byte order mark', utf8('\ufeff{}'), '/body'],
    ['__proto__', '{"__proto__":{"admin":true}}', '/body/__proto__'],
    // API Gateway passes JSON as text: invalid UTF-8 arrives as U+FFFD.
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), '/body/\ufffd'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), '/body'],
  ])('%s: gets 400', async (_, raw, pointer) => {
    for (const route of raw === '{' ? withBody : readAlike) {
      const answer = await call(route, { raw, auth: auth(route) });
      expect([answer.status, ...pointersOf(answer)], route.name).toEqual([400, pointer]);
    }
  });

  /** Valid JSON values that a strict parser rejects. */
  const spoiled = [
    '"\\ud800"',
    '"a\\udc00\\ud800b"',
    '"a\\u0000"',
    '"\ufffd"',
    '9007199254740993',
    '-1e999',
  ];

  test('an invalid value in an unknown field gets 400, together with the other errors', async () => {
    for (const route of withBody) {
      const usual = await call(route, { raw: '{"a":"x"}', auth: auth(route) });
      const expected = [...new Set([...pointersOf(usual), '/body/a'])].sort();
      for (const value of readAlike.includes(route) ? spoiled : spoiled.slice(0, 1)) {
        const answer = await call(route, { raw: `{"a":${value}}`, auth: auth(route) });
        expect([answer.status, ...pointersOf(answer)], route.name).toEqual([400, ...expected]);
      }
    }
  });

  test.each(withBody)(
    'an invalid value in each field of $name is named once, with the others',
    async (route) => {
      const others = takesAnyName(schemaOf(route.body!)) ? {} : { zzz: 1 };
      for (const [i, { at, put }] of textPlacesOf(route).entries())
        for (const value of readAlike.includes(route) ? spoiled : [spoiled[i % spoiled.length]!]) {
          const text = JSON.stringify({ ...(put('put here') as object), ...others });
          const raw = text.replace('"put here"', value);
          const { status, body } = await call(route, { raw, auth: auth(route) });
          const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
          const expected = [`/body${at}`, ...Object.keys(others).map((name) => `/body/${name}`)];
          expect([status, ...pointers], `${value} at ${at}`).toEqual([400, ...expected]);
        }
    },
  );

  test('a body over the limit of the route gets 413, and one of exactly the limit is read', async () => {
    const body = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    for (const route of withBody) {
      const large = await call(route, { raw: body(bodyLimitOf(route) + 1), auth: auth(route) });
      expect([large.status, large.body.code], route.name).toEqual([413, 'content_too_large']);
      const fits = await call(route, { raw: body(bodyLimitOf(route)), auth: auth(route) });
      expect(fits.status, route.name).toBe(400);
    }
  });

  test.each([
    ['none', '', /^The body is not application\/json/],
    ['text', 'text/plain', /^The body is not application\/json/],
    ['a form', 'application/x-www-form-urlencoded', /^The body is not application\/json/],
    ['parts', 'multipart/form-data; boundary=x', /^The body is not application\/json/],
    ['XML', 'application/xml', /^The body is not application\/json/],
    ['JSON of another kind', 'application/problem+json', /^The body is not application\/json/],
    ['JSON sequences', 'application/jsonl', /^The body is not application\/json/],
    ['another charset', 'application/json; charset=utf-16', /^The charset must be UTF-8/],
    ['an unknown parameter', 'application/json; boundary=x', /no other parameter is allowed$/],
    ['two types', 'application/json, text/plain', /^The body is not application\/json/],
  ])('content type %s (%s): gets 415', async (_, type, detail) => {
    for (const route of type === 'text/plain' ? withBody : readAlike) {
      const headers = { 'content-type': type };
      const answer = await call(route, { headers, auth: auth(route) });
      expect([answer.status, answer.body.code], route.name).toEqual([
        415,
        'unsupported_media_type',
      ]);
      expect(answer.body.detail).toMatch(detail);
    }
  });

  test('only PATCH accepts the media type of a merge patch (RFC 7396)', async () => {
    const headers = { 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' };
    const patches = withBody.filter(({ method }) => method === 'PATCH');
    expect(patches.map(({ name }) => name)).toContain('users.mergeMetadata');
    for (const route of withBody) {
      const answer = await call(route, { raw: '[]', headers, auth: auth(route) });
      expect(answer.status, route.name).toBe(patches.includes(route) ? 400 : 415);
    }
  });

  test('a missing or compressed body gets 415', async () => {
    for (const route of withBody) {
      const compressed = { headers: { 'content-encoding': 'gzip' }, auth: auth(route) };
      const { status, body } = await call(route, compressed);
      expect([status, body.detail], route.name).toEqual([
        415,
        'The body must not have a Content-Encoding',
      ]);
    }
    for (const route of withBody.filter(needsBody))
      expect((await call(route, { body: undefined, auth: auth(route) })).status).toBe(415);
  });

  test('a missing body counts as an empty object where all fields are optional, with any content type', async () => {
    const optional = withBody.filter((route) => !needsBody(route));
    expect(optional.map(({ name }) => name)).toContain('users.delete');
    for (const route of optional) {
      // The path is invalid, so that nothing is done. A missing body would be reported together with it if it were
      // required.
      const { params } = sampleOf(route);
      const wrong = Object.fromEntries(Object.keys(params).map((name) => [name, '~']));
      const expected = Object.keys(params)
        .map((name) => `/path/${name}`)
        .sort();
      // One of their fields is required, which no schema expresses.
      if (route.name === 'factors.deleteTotp') expected.push('/body/code');
      if (route.name === 'sessions.reauthenticate')
        expected.push('/body/code', '/body/passkey', '/body/password', '/body/recovery_code');
      for (const headers of [{}, { 'content-type': 'application/json' }]) {
        const none = { params: wrong, body: undefined, headers, auth: auth(route) };
        const answer = await call(route, none);
        // Without a path parameter, the operation fails because the project has disabled it.
        const status = expected.length > 0 ? 400 : 403;
        expect([answer.status, ...pointersOf(answer)], route.name).toEqual([status, ...expected]);
      }
    }
  });

  test('the content type is accepted in any case and with a charset', async () => {
    for (const route of withBody) {
      const headers = { 'content-type': 'Application/JSON;Charset="UTF-8"' };
      expect((await call(route, { raw: '[]', headers, auth: auth(route) })).status).toBe(400);
    }
  });
});

describe('a duplicate query parameter gets 400', () => {
  test.each(withQuery)('$name', async (route) => {
    for (const name of Object.keys(route.query?.shape ?? {})) {
      const { params } = sampleOf(route);
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '');
      for (const twice of [
        `${name}=1&${name}=1`,
        `${name}=1&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=2`,
      ]) {
        const answer = await world.call(route.method, `${path}?${twice}`, auth(route));
        expect([answer.status, ...pointersOf(answer)], twice).toEqual([400, `/query/${name}`]);
      }
    }
  });
});

describe('a whole number in a query may have any number of digits', () => {
  const numbers = withQuery.flatMap((route) =>
    Object.entries(schemaOf(route.query!).properties ?? {})
      .filter(([, { type }]) => type === 'integer')
      .map(([name]) => ({ route, name, of: route.name })),
  );
  const digits = ['9999999999999999', '9'.repeat(20), `${'0'.repeat(20)}1`];

  test.each(numbers)('$name of $of', async ({ route, name }) => {
    // Another parameter is invalid, so that nothing is done.
    const answers = digits
      .flatMap((each) => [each, `-${each}`])
      .map(async (value) => {
        const query = { ...sampleOf(route).query, [name]: value, no_such_parameter: 'x' };
        const { status, body } = await call(route, { query, auth: auth(route) });
        return { value, status, errors: body.errors as { pointer: string; detail: string }[] };
      });
    for (const { value, status, errors } of await Promise.all(answers)) {
      expect(status, value).toBe(400);
      for (const { detail } of errors) expect(detail, value).not.toBe('Must be a whole number');
      const named = errors.some(({ pointer }) => pointer === `/query/${name}`);
      expect(named, value).toBe(value.startsWith('-') || value.endsWith('9'));
    }
  });
});

describe('a path that no route has gets a standard 404', () => {
  const divided = routes.filter(({ path }) => path.lastIndexOf('/') > 0);
  test.each(divided)('the path of $name with an escaped slash', async (route) => {
    const path = pathOf(route, sampleOf(route).params);
    const other = `/${path.slice(1).replace('/', '%2F')}`;
    const answer = await world.call(route.method, other, auth(route));
    expect([answer.status, answer.headers.get('allow')], other).toEqual([404, null]);
    expectStandard(fallback, answer);
  });

  test.each(routes)('a path similar to that of $name', async (route) => {
    const path = pathOf(route, sampleOf(route).params);
    for (const other of [`${path}/x/y`, `${path}//`, `/x${path}`, `${path.toUpperCase()}X`]) {
      const answer = await world.call(route.method, other, auth(route));
      expect(answer.status, other).toBe(404);
      expectStandard(fallback, answer);
    }
  });
});

test('none of these requests has written anything', async () => {
  expect(await world.table.all()).toEqual(before);
});
