import fc, { type Arbitrary } from 'fast-check';
import { naughty } from '../attack/naughty.ts';
import type { Schema } from '../contract/samples.ts';
import { anyCharacter } from '../support/characters.ts';
import { Known, kindOf } from './known.ts';

/** Values that the schema of a field accepts. `known` of ten are known values of the service. */
export function fitting(schema: Schema, name = '', known = 9): Arbitrary<unknown> {
  const { type, anyOf, items, properties } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (anyOf) return fc.oneof(...anyOf.map((each) => fitting(each, name, known)));
  if (type === 'object') return objects(properties ?? {}, schema.required ?? [], known);
  if (type === 'array') {
    const { minItems = 0, maxItems = 3 } = schema;
    const element = fitting(items ?? {}, name, known);
    return fc.array(element, {
      minLength: minItems,
      maxLength: Math.max(minItems, Math.min(maxItems, 3)),
    });
  }
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  const usual = usuals[name];
  if (usual)
    return fc.oneof(
      { weight: known, arbitrary: fc.constantFrom(...usual) },
      { weight: 10 - known, arbitrary: texts(schema) },
    );
  const kind = kindOf(name, schema);
  if (!kind) return texts(schema);
  const fresh: Arbitrary<unknown> =
    kind === 'email' ? fc.constant(new Known('new_email')) : texts(schema);
  return fc.oneof(
    { weight: known, arbitrary: fc.constant(new Known(kind)) },
    { weight: 10 - known, arbitrary: fresh },
  );
}

const [roles, permissions] = [
  ['member', 'admin', 'accountant', 'ws-editor'],
  ['invoice:read', 'event:list'],
];
/** Names that a project has or will define: hardly any random well-formed name exists. */
const usuals: Record<string, string[]> = {
  ...{ role: roles, inherits: roles },
  ...{ permission: permissions, permissions },
};

function objects(
  properties: Record<string, Schema>,
  required: readonly string[],
  known: number,
): Arbitrary<unknown> {
  const parts = Object.entries(properties).map(([name, schema]) => {
    // Mostly absent, because only the stored value would be accepted.
    if (schema.readOnly)
      return [
        name,
        fc.oneof(
          { weight: 60, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fitting(schema, name, known) },
        ),
      ] as const;
    const value = fitting(schema, name, known);
    if (required.includes(name)) return [name, value] as const;
    // Most requests are short: they contain half of the optional fields that refer to something, and a third of the
    // others. A cursor is rare, because it fits only the list that it came from.
    const weight =
      name === 'cursor' ? 12 : schema.type === 'string' && kindOf(name, schema) ? 1 : 2;
    const absent = { weight, arbitrary: fc.constant(undefined) };
    return [name, fc.oneof(absent, { weight: 1, arbitrary: value })] as const;
  });
  return fc.record(Object.fromEntries(parts)).map((all) => {
    const kept = Object.entries(all).filter(([, value]) => value !== undefined);
    const instead = new Set(kept.flatMap(([name]) => properties[name]?.['x-instead-of'] ?? []));
    return Object.fromEntries(kept.filter(([name]) => !instead.has(name)));
  });
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

const textsOf = new Map<string, Arbitrary<string>>();

/**
 * Texts that match a schema's format. Cached, because preparing a pattern takes milliseconds, and many fields share
 * one.
 */
function texts(schema: Schema): Arbitrary<string> {
  const { format, pattern, example, minLength, maxLength } = schema;
  const form = JSON.stringify({ format, pattern, example, minLength, maxLength });
  const made = textsOf.get(form) ?? newTexts(schema);
  textsOf.set(form, made);
  return made;
}

function newTexts(schema: Schema): Arbitrary<string> {
  const { format, pattern, example } = schema;
  // Texts that must not be blank do not always have a pattern for it.
  const minLength = Math.max(1, schema.minLength ?? 0);
  const maxLength = Math.min(schema.maxLength ?? 40, 60);
  const text = String(example ?? '');
  if (format === 'email') return fc.nat(1_000_000).map((n) => `fuzz${n}@example.com`);
  if (format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true })
      .map((at) => at.toISOString());
  if (format === 'password') return fc.string({ unit: 'grapheme', minLength: 15, maxLength: 40 });
  if (text.startsWith('https:'))
    return fc
      .string({ unit: 'grapheme-ascii', maxLength: 20 })
      .map((rest) => `https://example.com/${encodeURIComponent(rest)}`);
  if (uuid.test(text)) return fc.uuid().map((id) => text.replace(uuid, id));
  if (pattern === undefined) return fc.string({ unit: 'grapheme', minLength, maxLength });
  // A pattern that only excludes characters would generate mostly very rare ones.
  if (!pattern.startsWith('^[^')) return fc.stringMatching(new RegExp(pattern, 'u'));
  const allowed = new RegExp(pattern, 'u');
  return fc.string({ unit: 'grapheme', minLength, maxLength }).filter((each) => allowed.test(each));
}

/** Any JSON value, preferably one that breaks code. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...naughty,
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 53),
    1e308,
    [],
    {},
    [[]],
    '',
  ),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'large' }),
  fc.jsonValue({ maxDepth: 5 }),
  fc
    .constantFrom(...(['uid', 'workspace_id', 'email', 'access_token'] as const))
    .map((kind) => new Known(kind)),
  fc
    .tuple(
      fc.constantFrom('x', 'é', '👩', ' ', '.'),
      fc.constantFrom(127, 128, 129, 255, 257, 1_024, 2_049, 20_000),
    )
    .map(([unit, times]) => unit.repeat(times)),
);

/** The same with one change: another value, a missing value, one more, or one more name. */
export function spoilt(values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(
      values,
      fc.nat(1_000),
      hostile,
      fc.constantFrom('replace', 'replace', 'remove', 'add', 'wrap'),
    )
    .map(([value, at, other, how]) => change(value, at, other, how));
}

function change(value: unknown, at: number, other: unknown, how: string): unknown {
  const places = placesOf(value);
  const place = places[at % Math.max(places.length, 1)];
  if (how === 'add' && isRecord(value)) {
    const name = typeof other === 'string' ? other : 'unknown';
    return Object.defineProperty({ ...value }, name, { value: other, enumerable: true });
  }
  if (place === undefined) return other;
  return withChange(value, place, (old) =>
    how === 'remove' ? undefined : how === 'wrap' ? [old] : other,
  );
}

type Place = readonly string[];

/** Every place inside a value, outer ones first. */
function placesOf(value: unknown, before: Place = []): Place[] {
  if (value instanceof Known || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const place = [...before, name];
    return [place, ...placesOf(part, place)];
  });
}

function withChange(
  value: unknown,
  [name, ...rest]: Place,
  to: (old: unknown) => unknown,
): unknown {
  if (name === undefined) return to(value);
  if (Array.isArray(value))
    return value.map((part: unknown, i) =>
      String(i) === name ? withChange(part, rest, to) : part,
    );
  if (!isRecord(value)) return value;
  return { ...value, [name]: withChange(value[name], rest, to) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Known);
