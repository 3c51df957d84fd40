import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { issueMessage } from '#shared/http/issue-message.ts';

const of = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: issueMessage }).error?.issues.map(({ message }) => message);

const text = z.string();
const role = z.enum(['member', 'admin']);
const time = z.iso.datetime({ precision: 3 });
const either = z.union([role, z.literal('')]);
const upTo = (max: number) => z.string().max(max);

describe('the message for', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['a text that is missing', text, undefined, 'Is required'],
    ['a choice that is missing', role, undefined, 'Is required'],
    ['a list that is missing', z.array(text), undefined, 'Is required'],
    ['null', text, null, 'Must be a string'],
    ['a value that is not a string', text, 7, 'Must be a string'],
    ['a value that is not a number', z.number(), '7', 'Must be a number'],
    ['a value that is not a number, for a whole number', z.int(), 'x', 'Must be a whole number'],
    ['a number that is not whole', z.int(), 1.5, 'Must be a whole number'],
    ['a value that is neither true nor false', z.boolean(), 'true', 'Must be true or false'],
    ['a value that is not an object', z.strictObject({}), [], 'Must be an object'],
    ['a value that is not a record', z.record(text, text), 'x', 'Must be an object'],
    ['no time', time, '2026-11-21', 'Must be a time, such as 2026-11-21T08:00:00.000Z'],
    ['a value of no alternative', either, 7, 'Must be one of member, admin'],
    ['a value that is not an array', z.array(text), {}, 'Must be an array'],
    ['a text that is not a choice', role, 'owner', 'Must be one of member, admin'],
    ['a choice of another type', role, 7, 'Must be one of member, admin'],
    ['a text that is not the only choice', z.literal('RSA'), 'EC', 'Must be RSA'],
    ['a text too long', upTo(128), 'x'.repeat(129), 'Must have at most 128 characters'],
    ['a text too short', z.string().min(2), 'x', 'Must have at least 2 characters'],
    ['an empty text', z.string().min(1), '', 'Must have at least 1 character'],
    ['a list too long', z.array(text).max(3), ['', '', '', ''], 'Must have at most 3 items'],
    ['an empty list', z.array(text).min(1), [], 'Must have at least 1 item'],
    ['a number too big', z.int().max(100), 101, 'Must be at most 100'],
    ['a number too small', z.number().min(0), -1, 'Must be at least 0'],
    ['an unsafe number', z.int(), 2 ** 53, `Must be at most ${Number.MAX_SAFE_INTEGER}`],
  ])('%s', (_, schema, value, message) => {
    expect(of(schema, value)).toEqual([message]);
  });
});

describe("the schema's own message has priority", () => {
  test.each<[string, z.ZodType, unknown]>([
    ['of a type', z.string('Mine'), 7],
    ['of a limit', z.int().max(1, 'Mine'), 2],
    ['of a form', z.string().regex(/^a/, 'Mine'), 'b'],
    ['of a rule', z.string().refine(() => false, 'Mine'), 'b'],
  ])('%s', (_, schema, value) => {
    expect(of(schema, value)).toEqual(['Mine']);
  });
});

describe('the message of zod is kept for', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['a form', z.ipv4(), 'x'],
    ['an exact length', z.string().length(2), 'x'],
    ['a limit that is excluded', z.number().lt(1), 1],
    ['another kind of value', z.map(text, text), 'x'],
    ['a set', z.set(text).max(0), new Set(['x'])],
    ['a rule about a missing value', z.undefined().refine(() => false), undefined],
    ['an unknown field', z.strictObject({}), { x: 1 }],
  ])('%s', (_, schema, value) => {
    expect(of(schema, value)).toEqual(
      schema.safeParse(value).error?.issues.map(({ message }) => message),
    );
  });
});
