import type * as z from 'zod';
import { fields } from './project/fields.ts';

/**
 * The problem of a field of an operator request, as a phrase after the field's name: `must be true or false`. The
 * request must be parsed with `reportInput`, because the input distinguishes missing fields from invalid ones, and with
 * the service's error messages.
 */
export function inWords(issue: z.core.$ZodIssue): string {
  const { code, input, path } = issue;
  if (input === undefined) return 'is required';
  const { requirement } = fields[String(path[0])] ?? {};
  const isWhole = path.length === 1 && /^(?:invalid_type|too_small|too_big)$/.test(code);
  if (isWhole && requirement !== undefined) return requirement;
  const isNumber = 'origin' in issue && /^(?:int|number)$/.test(issue.origin);
  if (code === 'too_small' && !isNumber) return 'must not be empty';
  if (code === 'too_big' && !isNumber) {
    return `must have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'elements'}`;
  }
  if (code === 'unrecognized_keys') return `must not contain ${issue.keys.join(', ')}`;
  if (code === 'invalid_type' && issue.expected !== 'int') {
    return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  }
  return issue.message.replace(/^Must/, 'must');
}
