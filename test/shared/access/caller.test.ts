import { expect, test } from 'vitest';
import { type PersonCaller, type ProjectCaller, targetUserId } from '#shared/access/caller.ts';
import { invalidField, notFound } from '#shared/model/errors.ts';

const person = { kind: 'person', uid: 'me' } as PersonCaller;
const backend = { kind: 'project' } as ProjectCaller;

function outcome(caller: PersonCaller | ProjectCaller, uid?: string) {
  try {
    return targetUserId(caller, uid);
  } catch (error) {
    const { message } = error as Error;
    return { ...(error as object), message };
  }
}
const whole = (error: Error) => ({ ...error, message: error.message });

test('a user may name themselves or nobody; another user is not found', () => {
  expect([outcome(person), outcome(person, 'me')]).toEqual(['me', 'me']);
  expect(outcome(person, 'other')).toEqual(whole(notFound('a person may act only for themself')));
});

test('a backend must name the user', () => {
  expect(outcome(backend, 'other')).toBe('other');
  const refused = invalidField('/query/user_id', 'Is required with a Basic credential');
  expect(outcome(backend)).toEqual(whole(refused));
});
