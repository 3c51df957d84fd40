import { expect, test } from 'vitest';
import { type PersonCaller, type ProjectCaller, targetUserId } from '#shared/access/caller.ts';
import { invalidField, notFound } from '#shared/model/errors.ts';

const person = { kind: 'person', uid: 'me' } as PersonCaller;
const backEnd = { kind: 'project' } as ProjectCaller;

const reason = 'a person may act only for themself';

test("a person asks for what is theirs, whether they say so or not, and for nobody else's", () => {
  expect(targetUserId(person, undefined)).toBe('me');
  expect(targetUserId(person, 'me')).toBe('me');
  expect(() => targetUserId(person, 'other')).toThrow(notFound(reason));
});

test('a back end says whose', () => {
  expect(targetUserId(backEnd, 'other')).toBe('other');
  const refused = invalidField('/query/user_id', 'Is required with a Basic credential');
  expect(() => targetUserId(backEnd, undefined)).toThrow(refused);
});

test('the failures are those of a missing thing and of the wrong field', () => {
  const failureOf = (caller: PersonCaller | ProjectCaller, uid?: string) => {
    try {
      return targetUserId(caller, uid);
    } catch (error) {
      return { ...(error as object) };
    }
  };
  expect(failureOf(person, 'other')).toEqual({ ...notFound(reason) });
  expect(failureOf(backEnd)).toEqual({
    ...invalidField('/query/user_id', 'Is required with a Basic credential'),
  });
});
