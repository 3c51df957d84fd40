import fc, { type Arbitrary } from 'fast-check';
import { routes } from '#shared/contract/api.ts';
import { type Schema, schemaOf } from '../contract/samples.ts';
import { type Caller, fits, standings } from './fits.ts';
import { Known } from './known.ts';
import { oddHeaders, rawBodies, repeats, tails } from './oddities.ts';
import { fitting, hostile, spoilt } from './values.ts';

/** A request before its users and resources are chosen. */
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
  /** Sent unchanged, instead of `body`. */
  raw?: string;
  headers: Record<string, string>;
  /** Appended to the path unchanged. */
  tail: string;
};

type Route = (typeof routes)[number];

/** Requests that the contract accepts, by permitted callers, about suitable users. */
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

/** Requests with one error. */
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

/** Requests that may be completely invalid. */
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
    { as: 'key', of: 'user' },
    { as: 'key', of: 'workspace' },
  ),
  anyone.map((standing): Caller => ({ as: 'person', standing })),
  fc
    .record({
      of: fc.constantFrom('backend', 'self', 'refresh', 'cookie', 'key'),
      at: fc.nat(2_000),
    })
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

/** Requests of every route and kind; those that compute a slow hash are less frequent. */
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
