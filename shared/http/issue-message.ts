import * as z from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

/**
 * The error text of an invalid field; it never repeats the input. Undefined if zod's own message is good enough. A
 * message set in the schema takes precedence over both.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue;
  if (code === 'invalid_type' || code === 'invalid_value') {
    if (input === undefined) return 'Is required';
    if (code === 'invalid_value')
      return mustBe(`${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`);
    return mustBe(kinds[issue.inst instanceof z.ZodNumberFormat ? 'int' : issue.expected]);
  }
  if (code === 'invalid_format' && issue.format === 'datetime')
    return 'Must be a time, such as 2026-11-21T08:00:00.000Z';
  // The first alternative is the usual one.
  if (code === 'invalid_union') return issue.errors[0]?.[0]?.message;
  if ((code !== 'too_big' && code !== 'too_small') || !issue.inclusive || issue.exact)
    return undefined;
  return code === 'too_big'
    ? within('most', issue.maximum, issue.origin)
    : within('least', issue.minimum, issue.origin);
}

const mustBe = (what: string | undefined) => what && `Must be ${what}`;

function within(at: 'most' | 'least', limit: number | bigint, origin: string): string | undefined {
  if (origin === 'string') return `Must have at ${at} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array') return `Must have at ${at} ${limit} item${limit === 1 ? '' : 's'}`;
  return origin === 'number' || origin === 'int' ? `Must be at ${at} ${limit}` : undefined;
}
