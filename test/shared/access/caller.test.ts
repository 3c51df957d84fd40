import { expect, test } from 'vitest';
import { type PersonCaller, type ProjectCaller, whose } from '#shared/access/caller.ts';
import { invalid, notFound } from '#shared/model/errors.ts';

const person = { kind: 'person', uid: 'me' } as PersonCaller;
const backEnd = { kind: 'project' } as ProjectCaller;

test("a person asks for what is theirs, whether they say so or not, and for nobody else's", () => {
  expect(whose(person, undefined)).toBe('me');
  expect(whose(person, 'me')).toBe('me');
  expect(() => whose(person, 'other')).toThrow(notFound());
});

test('a back end says whose', () => {
  expect(whose(backEnd, 'other')).toBe('other');
  const refused = invalid('/query/user_id', 'Is required with a Basic credential');
  expect(() => whose(backEnd, undefined)).toThrow(refused);
});

test('the failures are those of a missing thing and of the wrong field', () => {
  const failureOf = (caller: PersonCaller | ProjectCaller, uid?: string) => {
    try {
      return whose(caller, uid);
    } catch (error) {
      return { ...(error as object) };
    }
  };
  expect(failureOf(person, 'other')).toEqual({ ...notFound() });
  expect(failureOf(backEnd)).toEqual({
    ...invalid('/query/user_id', 'Is required with a Basic credential'),
  });
});
