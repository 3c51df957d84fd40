import type * as z from 'zod';
import { filledPattern, notBlank } from '../../model/fields.ts';
import type { Route } from '../route.ts';

/**
 * `request_in_progress` and `members.changeRole` as the name of a component: `RequestInProgress`, `MembersChangeRole`.
 */
export const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The request bodies as components, so that generators name them: that of `members.add` is `MembersAddRequest`. */
export const requestBodies = (routes: readonly Route[]): Record<string, z.ZodObject> =>
  Object.fromEntries(
    routes.flatMap(({ name, body }) => (body ? [[`${pascal(name)}Request`, body]] : [])),
  );

/** Removes schema keywords that tell readers nothing, and those that would forbid responses to gain fields. */
export function simplify(schema: Record<string, unknown>, io: 'input' | 'output'): void {
  if (io === 'output' && schema['additionalProperties'] === false) {
    delete schema['additionalProperties'];
  }
  // Values are added, as fields are: a generated client must read those that it does not know.
  if (io === 'output' && schema['enum']) {
    schema['x-extensible-enum'] = schema['enum'];
    delete schema['enum'];
  }
  // One pattern in place of two: some generators cannot read `allOf` beside a type.
  const patterns = schema['allOf'] as { pattern?: string }[] | undefined;
  if (patterns?.at(-1)?.pattern === notBlank.source) {
    delete schema['allOf'];
    schema['pattern'] = filledPattern;
  }
  // Some generators take a constant beside another text for the only text.
  if (schema['const'] === '') {
    delete schema['const'];
    schema['maxLength'] = 0;
  }
  // The times of an event are texts to the service, which does not check what it has stored.
  for (const [name, property] of Object.entries(schema['properties'] ?? {}))
    if (name.endsWith('_at') && property.type === 'string') property.format = 'date-time';
  // Client and service read every form of RFC 3339.
  if (schema['format'] === 'date-time') {
    delete schema['pattern'];
    if (io === 'output') delete schema['maxLength'];
  }
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  // Larger numbers are rejected, although the format int64 has them.
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER && io === 'output') delete schema['maximum'];
  if (schema['type'] === 'integer') {
    // For the languages that have integers of both sizes.
    const isSmall = Number(schema['maximum']) < 2 ** 31;
    schema['format'] = isSmall ? 'int32' : 'int64';
  }
}
