import { expect, test } from 'vitest';
import { depthOf, newUserMetadata } from '#shared/model/metadata.ts';

test('depthOf handles an array as long as the largest body', () => {
  const long = Array.from({ length: 200_000 }, () => 0);
  expect([depthOf(long), depthOf([...long, [{}]])]).toEqual([1, 3]);
});

test('metadata that is too large is refused for its size, not its depth', () => {
  const deep = { a: [[[[[[[['x'.repeat(5_000)]]]]]]]] };
  const { error } = newUserMetadata.app_metadata.safeParse(deep);
  expect(error?.issues).toMatchObject([{ message: 'Must not exceed 4096 bytes as JSON' }]);
});
