import fc, { type Arbitrary } from 'fast-check';
import { routes } from '#shared/contract/api.ts';
import { type Schema, schemaOf } from '../contract/samples.ts';
import { type Caller, fits, standings } from './fits.ts';
import { fitting, hostile, Known, spoilt } from './values.ts';

/** A request before it is known whom and what it is about. */
export type Draft = {
  operation: string;
  method: string;
  path: string;
  scene: number;
  subject: number;
  caller: Caller;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string;
  headers: Record<string, string>;
  /** Appended to the path as it is. */
  tail: string;
};

type Route = (typeof routes)[number];

/** Requests that the contract accepts, by whoever may send them, about whomever they fit. */
export function fittingDraft(route: Route): Arbitrary<Draft> {
  const { by, of } = fits(route);
  return drafts(route, {
    caller: fc.constantFrom(...by),
    subject: fc.constantFrom(...of.map((each) => standings.indexOf(each))),
    values: (schema) => fitting(schema, '', 10),
    ...fixed(route),
  });
}

type Spoil = (right: Arbitrary<unknown>) => Arbitrary<unknown>;

/** The parts of a request whose fields depend on each other. */
function fixed(route: Route): { [P in 'query' | 'body']?: Spoil } {
  const { query, body } = fits(route);
  return { ...(query && { query: always(query) }), ...(body && { body: always(body) }) };
}

function always(fields: NonNullable<ReturnType<typeof fits>['body']>): Spoil {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    typeof field === 'string' ? new Known(field) : field.is,
  ]);
  return () => fc.constant(Object.fromEntries(entries));
}

/** Requests that are wrong in one place. */
function nearlyFitting(route: Route): Arbitrary<Draft> {
  const { by } = fits(route);
  const right = {
    caller: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...by) }, callers),
    subject: anyone,
  };
  const values = (schema: Schema) => fitting(schema);
  const same: Spoil = (each) => each;
  const { query = same, body = same } = fixed(route);
  return fc.oneof(
    drafts(route, { ...right, values }),
    drafts(route, { ...right, values, body: (each) => spoilt(body(each)) }),
    drafts(route, { ...right, values, query: (each) => spoilt(query(each)), params: spoilt }),
  );
}

/** Requests of which nothing need be right. */
function hostileDraft(route: Route): Arbitrary<Draft> {
  const request = drafts(route, {
    caller: callers,
    subject: anyone,
    values: (schema) => fc.oneof(spoilt(spoilt(fitting(schema, '', 5))), hostile),
  });
  return fc
    .record({
      request,
      method: fc.option(
        fc.constantFrom('PATCH', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'DELETE', 'GET', 'PROPFIND'),
        { freq: 4 },
      ),
      raw: fc.option(rawBodies, { freq: 3 }),
      headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, oddHeaders),
      tail: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, tails),
    })
    .map(({ request: made, method, raw, headers, tail }) => ({
      ...made,
      ...(method !== null && { method }),
      ...(raw !== null && { raw }),
      headers,
      tail,
    }));
}

const anyone = fc.nat(standings.length - 1);

const callers: Arbitrary<Caller> = fc.oneof(
  fc.constantFrom<Caller>(
    { as: 'backend' },
    { as: 'foreign backend' },
    { as: 'foreigner' },
    { as: 'self' },
    { as: 'nobody' },
    { as: 'refresh' },
    { as: 'cookie' },
  ),
  anyone.map((standing): Caller => ({ as: 'person', standing })),
  fc
    .record({ of: fc.constantFrom('backend', 'self', 'refresh', 'cookie'), at: fc.nat(2_000) })
    .map((how): Caller => ({ as: 'forger', ...how })),
  fc
    .oneof(
      fc.constantFrom(
        'Basic',
        'Bearer ',
        'Bearer a.b.c',
        'Basic Og==',
        'Basic !',
        'Digest x',
        'bearer rt_x.y',
        ', ',
        'Bearer x, Bearer y',
      ),
      fc.string({ unit: 'grapheme-ascii', maxLength: 100 }),
      fc.base64String({ maxLength: 200 }).map((text) => `Basic ${text}`),
      fc.constant(`Bearer ${'x'.repeat(5_000)}`),
    )
    .map((value): Caller => ({ as: 'header', value: value.trim() })),
);

const rawBodies: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '{',
    '{}{}',
    '[]',
    'null',
    '"x"',
    '{"a":1,"a":2}',
    '{"__proto__":{"admin":true}}',
    '\ufeff{}',
    '{"a":1e999}',
    '{"a":"\\ud800"}',
    '',
  ),
  fc.constantFrom(40, 40_000).map((depth) => '['.repeat(depth)),
  fc
    .constantFrom(65_530, 65_536, 65_537, 200_000)
    .map((bytes) => `{"a":"${'x'.repeat(bytes - 8)}"}`),
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 500 }),
);

const oddHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  fc
    .constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
      '*/*',
    )
    .map((type) => ({ 'content-type': type })),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map((coding) => ({ 'content-encoding': coding })),
  fc.constantFrom('GET', 'DELETE', 'PUT').map((method) => ({ 'x-http-method-override': method })),
  fc
    .constantFrom('*', '"x"', 'W/"x"', 'x', '"a", "b"')
    .map((tag) => ({ 'if-match': tag, 'if-none-match': tag })),
  fc
    .string({ unit: 'grapheme-ascii', maxLength: 300 })
    .map((key) => ({ 'idempotency-key': key.trim() })),
  fc.constantFrom(
    { host: 'evil.example' },
    { 'x-forwarded-for': '10.0.0.1' },
    { 'x-original-url': '/users/me' },
    { cookie: 'a=b; c=d' },
    { cookie: `${'session-a=b; '.repeat(300)}c=d` },
    { 'sec-fetch-site': 'cross-site' },
    { 'accept-language': 'de, *;q=0' },
    { range: 'bytes=0-1' },
    { accept: 'text/html' },
  ),
);

/** Of few keys, so that some come again: with the same request, another one, or by somebody else. */
const repeats: Arbitrary<Record<string, string>> = fc.oneof(
  fc.nat(20).map((n) => ({ 'idempotency-key': `fuzz-${n}`.padEnd(16, 'x') })),
  fc.constantFrom('*', '"x"', 'W/"x"', 'x').map((tag) => ({ 'if-match': tag })),
);

const tails = fc.constantFrom(
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '%',
  '%zz',
  '%00',
  '%2f',
  '?',
  '?a=1&a=2',
  '&limit=1&limit=1',
  '?%ff=1',
  ';a=b',
  '?limit=1%',
  '.json',
);

type Parts = {
  caller: Arbitrary<Caller>;
  subject: Arbitrary<number>;
  values: (schema: Schema) => Arbitrary<unknown>;
} & { [P in 'params' | 'query' | 'body']?: Spoil };

function drafts(route: Route, { caller, subject, values, ...spoil }: Parts): Arbitrary<Draft> {
  const part = (name: 'params' | 'query' | 'body'): Arbitrary<unknown> => {
    const schema = route[name];
    if (!schema) return fc.constant(undefined);
    const right = values(schemaOf(schema));
    return spoil[name]?.(right) ?? right;
  };
  const { name: operation, method, path } = route;
  return fc
    .record({
      scene: fc.nat(1_000),
      subject,
      caller,
      params: part('params'),
      query: part('query'),
      body: part('body'),
      headers: fc.oneof(
        { weight: 5, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: repeats },
      ),
    })
    .map(({ params, query, body, ...rest }) => ({
      operation,
      method,
      path,
      ...rest,
      params: asRecord(params),
      query: asRecord(query),
      ...(body !== undefined && { body }),
      tail: '',
    }));
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null
    ? { ...value }
    : value === undefined
      ? {}
      : { [String(value)]: value };

/** Requests of every route and kind; those whose work is a slow hash come less often. */
export const anyDraft: Arbitrary<Draft> = fc.oneof(
  ...routes.map((route) => ({
    weight: /^passwords\.(?:set|signIn|change)$/.test(route.name) ? 1 : 4,
    arbitrary: fc.oneof(
      { weight: 5, arbitrary: fittingDraft(route) },
      { weight: 3, arbitrary: nearlyFitting(route) },
      { weight: 2, arbitrary: hostileDraft(route) },
    ),
  })),
);
