import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { isCommonPassword } from '#shared/identity/passwords/common-passwords.ts';

const common = ['password', '123456', 'qwerty', 'iloveyou', 'password123', 'qwertyuiop12345'];
test.each(common)('%s is a common password', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

const rare = ['', 'correct horse battery staple', 'password ', 'x7-x7-x7-x7-x7-', 'constructor '];
test.each(rare)('%j is not a common password', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('the list has enough long passwords, in NFKC and in lower case', () => {
  const list = dictionary['passwords-common'];
  expect(list.length).toBeGreaterThan(40_000);
  expect(list.filter((each) => each !== each.normalize('NFKC').toLowerCase())).toEqual([]);
  // Otherwise the minimum length that a project may require, and the default, would not help against it.
  expect(list.filter((each) => each.length >= 8).length).toBeGreaterThan(10_000);
  expect(list.filter((each) => each.length >= 15).length).toBeGreaterThan(20);
});
