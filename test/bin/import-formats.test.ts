import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timeOf } from '../../bin/import/format.ts';
import { readAuth0Passwords } from '../../bin/import/from-auth0.ts';
import { jsonl } from '../../bin/import/from-rows.ts';

test.each([
  [1_614_834_367_089, '2021-03-04T05:06:07.089Z'],
  ['1614834367089', '2021-03-04T05:06:07.089Z'],
  [1_614_834_367, '2021-03-04T05:06:07.000Z'],
  [1_614_834_367.089, '2021-03-04T05:06:07.089Z'],
  ['1614834367', '2021-03-04T05:06:07.000Z'],
  ['2021-03-04T05:06:07.089Z', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04 05:06:07.089', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04T05:06:07', '2021-03-04T05:06:07.000Z'],
  ['2021-03-04 05:06:07.089123+00', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04 07:06:07+0200', '2021-03-04T05:06:07.000Z'],
  ['2021-03-04T07:06:07.5+02:00', '2021-03-04T05:06:07.500Z'],
  ['2021-03-04', '2021-03-04T00:00:00.000Z'],
  ['Thu, 04 Mar 2021 05:06:07 GMT', '2021-03-04T05:06:07.000Z'],
  ['Mar 4 2021 05:06:07', '2021-03-04T05:06:07.000Z'],
  ['', undefined],
  [null, undefined],
])('the time %j is %j, wherever this machine is', (given, time) => {
  // A zone that is not UTC: a text without a zone must not be read in it.
  const { TZ } = process.env;
  process.env['TZ'] = 'America/New_York';
  try {
    expect(timeOf(given)).toBe(time);
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
});

test.each(['yesterday', true, {}])('%j is no time', (given) => {
  expect(() => timeOf(given)).toThrow('Has a time that cannot be read');
});

test('a line of an export keeps what decides who may sign in, and the metadata', () => {
  const kept = {
    ...{ external_id: 'u1', email: 'ada@example.com', disabled: true },
    ...{ user_metadata: { a: 1 }, app_metadata: { b: 2 }, private_metadata: { c: 3 } },
    identities: [{ provider: 'google', subject: '1' }],
  };
  const line = { uid: 'uid-1', social: 'google', verified: { email: true }, ...kept };
  expect(jsonl.toUser(line, { providers: new Set() })).toEqual({ ...kept, email_verified: true });
});

describe("the password hashes of Auth0's support", () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'formats-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const good = '{"_id":{"$oid":"1"},"passwordHash":"$2b$10$x"}\n';

  test.each([
    ['a line that is no JSON', `${good}{"_id":\n`, ':2: must be an object with'],
    ['a line without an id', `${good}{"passwordHash":"x"}\n`, ':2: must be an object with'],
    ['a line without a hash', `{"_id":{"$oid":"1"}}\n${good}`, ':1: must be an object with'],
    ['nothing', '\n', 'has no password hashes'],
  ])('are refused with %s', async (_, text, said) => {
    const file = join(folder, 'passwords.ndjson');
    await writeFile(file, text);
    await expect(readAuth0Passwords(file)).rejects.toThrow(said);
    await writeFile(file, good);
    expect([...(await readAuth0Passwords(file))]).toEqual([['auth0|1', '$2b$10$x']]);
  });
});
