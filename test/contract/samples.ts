import * as z from 'zod';
import type { RouteSpec } from '#shared/contract/route.ts';

/** Requests generated from the contract, so that a new route is covered without a new test. */

export type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  /** Not false: any name is valid, as in metadata. */
  additionalProperties?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  /** Accepted only with the value that was read. */
  readOnly?: boolean;
  const?: unknown;
  example?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  /** Properties with which this one must not be combined. */
  'x-instead-of'?: string[];
  /** An invalid element has its own result in the response, and is not an error of the request. */
  'x-result-of-each'?: true;
};

/** A wrong value, and where it is wrong: JSON Pointers from the value itself. */
export type Wrong = { value: unknown; at: string };

const schemas = new WeakMap<z.ZodObject, Schema>();

/** A schema as JSON Schema, converted once. */
export function schemaOf(schema: z.ZodObject): Schema {
  const known = schemas.get(schema);
  if (known) return known;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  schemas.set(schema, made);
  return made;
}

/** A valid value: required fields, or one field if none is required. */
function sample(schema: Schema): unknown {
  const { type, properties = {}, required = [], items } = schema;
  const [first] = schema.anyOf ?? [];
  if (first) return sample(first);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.example !== undefined) return schema.example;
  if (type === 'object') {
    // Only the service creates cursors.
    const optional = Object.keys(properties).filter((name) => name !== 'cursor');
    const names = required.length > 0 ? required : optional.slice(0, 1);
    return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {})]));
  }
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => sample(items ?? {}));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}

/** Every kind of violation of a schema: of the whole value, and of each part while the others are valid. */
function* wrongs(schema: Schema): Generator<Wrong> {
  const { type, properties = {}, items } = schema;
  const kinds = schema.anyOf?.map((each) => each.type) ?? [type];
  const ofEachKind = {
    string: 'x',
    integer: 7,
    boolean: true,
    array: ['x'],
    object: { x: 1 },
    null: null,
  };
  for (const [kind, value] of Object.entries(ofEachKind))
    if (!kinds.includes(kind)) yield { value, at: '' };
  for (const each of schema.anyOf ?? []) if (each.type === 'string') yield* wrongTexts(each);
  if (type === 'string') yield* wrongTexts(schema);
  if (type === 'boolean' && schema.const !== undefined) yield { value: !schema.const, at: '' };
  if (type === 'integer') {
    for (const value of ['1', 1.5, Number.MIN_SAFE_INTEGER]) yield { value, at: '' };
    if (schema.maximum !== undefined) yield { value: schema.maximum + 1, at: '' };
    if (schema.minimum !== undefined) yield { value: schema.minimum - 1, at: '' };
  }
  if (type === 'array' && items) {
    if (!schema['x-result-of-each'])
      for (const { value, at } of wrongs(items)) yield { value: [value], at: `/0${at}` };
    const { maxItems, minItems = 0 } = schema;
    if (maxItems !== undefined)
      yield { value: Array.from({ length: maxItems + 1 }, () => sample(items)), at: '' };
    if (minItems > 0) yield { value: [], at: '' };
  }
  if (type === 'object') {
    const right = sample(schema) as Record<string, unknown>;
    for (const [name, part] of Object.entries(properties)) {
      const instead = (part['x-instead-of'] ?? []).map((other) => [other, undefined]);
      const others = { ...right, ...Object.fromEntries(instead) };
      for (const { value, at } of wrongs(part))
        yield { value: { ...others, [name]: value }, at: `/${name}${at}` };
    }
    for (const name of schema.required ?? [])
      yield { value: { ...right, [name]: undefined }, at: `/${name}` };
    if (!takesAnyName(schema))
      yield { value: { ...right, 'no/such~field': 1 }, at: '/no~1such~0field' };
  }
}

/** Whether the schema accepts an object with any names. */
export const takesAnyName = ({ type, additionalProperties, anyOf = [] }: Schema): boolean =>
  (type === 'object' && additionalProperties !== undefined && additionalProperties !== false) ||
  anyOf.some(takesAnyName);

function* wrongTexts(schema: Schema): Generator<Wrong> {
  const { enum: allowed, pattern, format, example, minLength = 0, maxLength } = schema;
  if (allowed) yield { value: `${allowed[0]}s`, at: '' };
  // A password may contain any characters.
  if (format !== 'password') {
    if (pattern !== undefined || format !== undefined) yield { value: 'a\u0007b', at: '' };
    if (format !== undefined || pattern?.includes('0-9')) yield { value: 'x y', at: '' };
  }
  if (String(example).startsWith('https:')) yield { value: 'http://example.com/', at: '' };
  if (minLength > 0) yield { value: 'x'.repeat(minLength - 1), at: '' };
  if (maxLength !== undefined) yield { value: 'x'.repeat(maxLength + 1), at: '' };
}

/** A place in a body that accepts a text, and the otherwise valid body with a text there. */
export type TextPlace = { at: string; schema: Schema; put(text: unknown): unknown };

function* textPlaces(schema: Schema): Generator<TextPlace> {
  const { type, properties = {}, items } = schema;
  for (const each of schema.anyOf ?? []) yield* textPlaces(each);
  if (type === 'string' && !schema.enum && schema.const === undefined)
    yield { at: '', schema, put: (text) => text };
  if (type === 'array' && items && !schema['x-result-of-each'])
    for (const { at, put, ...rest } of textPlaces(items))
      yield { ...rest, at: `/0${at}`, put: (text) => [put(text)] };
  if (type === 'object') {
    const right = sample(schema) as Record<string, unknown>;
    for (const [name, part] of Object.entries(properties)) {
      // Regardless of its schema, only the stored value is accepted.
      if (part.readOnly) continue;
      const instead = new Set(part['x-instead-of']);
      const others = Object.fromEntries(Object.entries(right).filter(([key]) => !instead.has(key)));
      for (const { at, put, ...rest } of textPlaces(part))
        yield { ...rest, at: `/${name}${at}`, put: (text) => ({ ...others, [name]: put(text) }) };
    }
  }
}

/** Every text of a route's body; pointers from the body itself. */
export function textPlacesOf(route: RouteSpec): TextPlace[] {
  if (!route.body) return [];
  const schema = schemaOf(route.body);
  const named = withBasic(route, schema);
  return [...textPlaces(schema)].map(({ put, ...place }) => ({
    ...place,
    put: (text) => ({ ...named, ...(put(text) as object) }),
  }));
}

export type Sample = {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
};

/** Additional ids that a backend must pass. */
function withBasic({ requiredWithBasic = [] }: RouteSpec, { properties = {} }: Schema) {
  return Object.fromEntries(
    requiredWithBasic.map((name) => [name, sample(properties[name] ?? {})]),
  );
}

/** A request that is valid by the route's schemas, regardless of the table. */
export function sampleOf(route: RouteSpec): Sample {
  const of = (schema: z.ZodObject | undefined) => (schema ? sample(schemaOf(schema)) : {});
  return {
    params: of(route.params) as Record<string, string>,
    query: route.query ? (of(route.query) as Record<string, string>) : {},
    body: route.body && {
      ...withBasic(route, schemaOf(route.body)),
      ...(of(route.body) as object),
    },
  };
}

/** Every wrong body of a route; pointers from the request. */
export function wrongBodies(route: RouteSpec): Wrong[] {
  if (!route.body) return [];
  const schema = schemaOf(route.body);
  const named = withBasic(route, schema);
  const wrong = [...wrongs(schema)].map(({ value, at }) => ({
    value: at === '' ? value : { ...named, ...(value as object) },
    at: `/body${at}`,
  }));
  const missing = Object.keys(named).map((name) => ({
    value: { ...sampleOf(route).body, [name]: undefined },
    at: `/body/${name}`,
  }));
  return [...wrong, ...missing];
}

/** Every invalid value of every path or query parameter of a route, by name. */
export function wrongParameters(route: RouteSpec, part: 'params' | 'query') {
  const schema = route[part];
  if (!schema) return [];
  // In a URL every value is text: a number has invalid values of both types, a text only of its own.
  return Object.entries(schemaOf(schema).properties ?? {}).flatMap(([name, property]) => {
    const kinds = property.type === 'integer' ? ['string', 'number'] : ['string'];
    return (
      [...wrongs(property)]
        .filter(({ value }) => kinds.includes(typeof value) && value !== '1')
        // The cookie's name contains the value, and headers cannot contain control characters.
        // oxlint-disable-next-line eslint/no-control-regex
        .filter(({ value }) => !route.auth.includes('cookie') || !/[\0-\x1f]/.test(String(value)))
        .map(({ value }) => ({ name, value: String(value) }))
    );
  });
}
