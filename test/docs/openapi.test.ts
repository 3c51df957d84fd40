/** @module-tag alone */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { examples } from '#shared/contract/examples/examples.ts';
import { openapi } from '#shared/contract/openapi/document.ts';
import { failuresOf, isRevalidated, type Route } from '#shared/contract/route.ts';
import { errorCodes } from '#shared/model/error-codes.ts';
import { problemMembers } from '#shared/model/problem-members.ts';
import manifest from '../../package.json' with { type: 'json' };

type Operations = Record<string, Record<string, Operation>>;
type Operation = {
  operationId: string;
  tags: string[];
  security: Record<string, []>[];
  description: string;
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { content?: Record<string, object> }>;
};

type Components = {
  schemas: Record<string, object>;
  headers: Record<string, object>;
  responses: Record<string, { headers: Record<string, { $ref: string }> }>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = openapi(manifest.version);
const paths = document['paths'] as Operations;
const components = document['components'] as Components;
const webhooks = document['webhooks'] as Operations;

test('docs/reference/openapi.json is generated from the contract', async () => {
  const text = await readFile(`${root}/docs/reference/openapi.json`, 'utf8');
  expect(JSON.parse(text), 'run: npm run openapi').toEqual(openapi(manifest.version));
});

test('redocly finds no problem', async () => {
  const cli = `${root}/node_modules/@redocly/cli/bin/cli.js`;
  const args = [cli, 'lint', '--format=json', 'docs/reference/openapi.json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(JSON.parse(stdout)).toMatchObject({ problems: [] });
});

/** Every value of a keyword in the document. */
function* valuesOf(keyword: string, within: unknown = document): Generator<string> {
  if (typeof within !== 'object' || within === null) return;
  for (const [name, value] of Object.entries(within)) {
    if (name === keyword && typeof value === 'string') yield value;
    yield* valuesOf(keyword, value);
  }
}

describe('every pattern matches the same with and without the flag u', () => {
  const patterns = [...new Set(valuesOf('pattern'))];
  const known = [...new Set(valuesOf('example'))];
  // Characters of one and of two code units, lone surrogates, and characters that other flags treat differently.
  const texts = [
    '',
    'a',
    'K',
    '\u212A',
    '\u017F',
    '\u00E9',
    '\u0001',
    '\n',
    '\u{1F600}',
    '\uD83D',
    'p{L}',
  ];
  const around = texts.flatMap((text) => [text, `a${text}`, `${text}${text}`, `https://${text}`]);

  test('the test finds more than 20 patterns', () => expect(patterns.length).toBeGreaterThan(20));

  test.each(patterns)('%s', (pattern) => {
    // Without the flag, these would mean the letters p and u.
    expect(pattern).not.toMatch(/\\[pPu]\{/);
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
    for (const text of [...known, ...around]) expect(plain.test(text)).toBe(unicode.test(text));
  });
});

test('every error that a client may retry later has a Retry-After header', () => {
  const retried = Object.entries(components.responses).filter(
    ([, { headers }]) => headers['Retry-After'],
  );
  const transient = /TooManyRequests|TemporarilyUnavailable|RequestInProgress/;
  expect(retried.map(([codes]) => codes)).toEqual(
    Object.keys(components.responses).filter((codes) => transient.test(codes)),
  );
});

test('a problem has every optional member of its code, and examples have them', () => {
  const added = Object.values(problemMembers).flatMap(({ schema }) => Object.keys(schema.shape));
  const { properties, required } = components.schemas['Problem'] as Record<string, object>;
  expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(added));
  expect(required).toEqual(['type', 'title', 'status', 'detail', 'code', 'request_id']);
  const shown = [...having('captcha_required')].map((path) => path.join('.'));
  expect(shown.length).toBeGreaterThan(0);
  for (const path of shown)
    expect(document).toHaveProperty(
      `${path}.captcha_required.value`,
      expect.objectContaining(problemMembers.captcha_required.example),
    );
});

test('all headers are components', () => {
  const all = Object.values(components.responses).flatMap(({ headers }) => Object.entries(headers));
  for (const [name, header] of all) {
    expect(header).toEqual({ $ref: `#/components/headers/${name}` });
    expect(components.headers).toHaveProperty([name]);
  }
});

/** The object of the document at a path. */
const at = (path: readonly string[]) =>
  path.reduce((within, step) => within[step] as Record<string, unknown>, document);

/** Every object of the document that has a keyword, with its path. */
function* having(
  keyword: string,
  within: unknown = document,
  path: readonly string[] = [],
): Generator<readonly string[]> {
  if (typeof within !== 'object' || within === null) return;
  if (keyword in within) yield path;
  for (const [step, value] of Object.entries(within))
    yield* having(keyword, value, [...path, step]);
}

test('the alternatives of a component have names, because some generators give unnamed ones equal names', () => {
  const unnamed = [...having('properties', components.schemas)].filter(([, keyword = '']) =>
    /^(?:any|one)Of$/.test(keyword),
  );
  expect(unnamed).toEqual([]);
});

test('of the alternatives of any schema at most one has no name, as with null', () => {
  const places = ['anyOf', 'oneOf'].flatMap((keyword) =>
    [...having(keyword)].map((path) => ({ path: path.join('.'), list: at(path)[keyword] })),
  );
  expect(places.length).toBeGreaterThan(10);
  const several = places.filter(
    ({ list }) => (list as object[]).filter((each) => 'properties' in each).length > 1,
  );
  expect(several).toEqual([]);
});

test('the values of a set have a name, because some generators write no valid code for others', () => {
  const sets = [...having('uniqueItems')].map((path) => [path.join('.'), at(path)['items']]);
  expect(sets.length).toBeGreaterThan(0);
  expect(sets.filter(([, items]) => 'enum' in (items as object))).toEqual([]);
});

test('the type of a factor is open, because other factors may follow', () => {
  for (const name of ['Factor', 'NewFactor'])
    expect(components.schemas[name]).toHaveProperty('properties.type.x-extensible-enum', ['totp']);
});

describe('the request that a webhook receives', () => {
  const received = Object.entries(webhooks).map(([type, { post }]) => ({ type, post }));

  test('has a tag of its own: of equal tags, some generators keep only the webhooks', () => {
    const tags = (all: Operations) =>
      new Set(Object.values(all).flatMap((each) => Object.values(each).flatMap((one) => one.tags)));
    expect(received.length).toBeGreaterThan(50);
    expect([...tags(webhooks)].filter((tag) => tags(paths).has(tag))).toEqual([]);
  });

  test.each(received)('$type has a body with a name', ({ type, post }) => {
    const schema = post?.requestBody?.content['application/json']?.schema;
    const name = schema?.$ref?.split('/').at(-1) ?? '';
    const words = type.split(/[._]/).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
    expect(name).toBe(`${words.join('')}Event`);
    // Without allOf: some generators cannot join a text and one of its values.
    expect(components.schemas[name]).toMatchObject({
      type: 'object',
      properties: { type: { const: type }, actor: { $ref: '#/components/schemas/EventActor' } },
    });
  });
});

test('no field of a request body has a default, because generators make such a field required', () => {
  const bodies = Object.entries(components.schemas).filter(([name]) => name.endsWith('Request'));
  expect(bodies.length).toBeGreaterThan(50);
  expect([...having('default', Object.fromEntries(bodies))]).toEqual([]);
});

const bodyType = ({ accepts }: Route) =>
  accepts === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

test.each(routes.filter(({ body }) => body))('the request body of $name has a name', (route) => {
  const operation = paths[route.path]?.[route.method.toLowerCase()];
  const name = route.name.replaceAll(/(?:^|\.)./g, (first) => first.toUpperCase());
  expect(operation?.requestBody?.content[bodyType(route)]?.schema).toEqual({
    $ref: `#/components/schemas/${name.replaceAll('.', '')}Request`,
  });
});

describe.each(routes)('$name', (route) => {
  const operation = paths[route.path]?.[route.method.toLowerCase()];

  test('is documented with its credentials, its successes and every possible error', () => {
    const statuses = [
      ...route.statuses,
      ...(isRevalidated(route) ? [304] : []),
      ...(route.otherwise ? [route.otherwise.status] : []),
      ...failuresOf(route).map((code) => errorCodes[code].status),
    ];
    expect(operation?.operationId).toBe(route.name);
    expect(operation?.security).toEqual(route.auth.map((scheme) => ({ [scheme]: [] })));
    expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual(
      [...new Set(statuses)].toSorted((a, b) => a - b),
    );
  });

  test('has a description, and examples where it takes and returns JSON', () => {
    expect(operation?.description).toMatch(/^[A-Z][^]+\.\n\n- \*\*Caller:\*\* /);
    // Sentences end with one period, and no value is missing.
    expect(operation?.description).not.toMatch(/undefined|NaN|\.\.|back end|1000/);
    const [success] = route.statuses;
    const json = operation?.responses[success]?.content?.['application/json'];
    const request = operation?.requestBody?.content[bodyType(route)];
    expect([json && 'example' in json, request && 'example' in request]).toEqual([
      route.produces === undefined || undefined,
      route.body !== undefined || undefined,
    ]);
  });

  test('has an example that the contract accepts unchanged', async () => {
    const { body, response } = examples[route.name];
    expect(await route.body?.parseAsync(body)).toEqual(body);
    expect(await route.response.parseAsync(response)).toEqual(response);
  });
});
