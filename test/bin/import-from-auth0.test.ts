/** @module-tag alone */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auth0, readAuth0Passwords } from '../../bin/import/from-auth0.ts';
import { newFolder } from '../support/folder.ts';

const folder = newFolder();

test("an identity has the connection's name, where a tenant can have several, and the provider's own id", () => {
  const identities = [
    { provider: 'oidc', connection: 'Okta', user_id: 'Okta|00u1' },
    { provider: 'samlp', connection: 'adfs', user_id: 'ada@example.com' },
    { provider: 'oauth2', connection: 'line', user_id: 'line|a|b' },
    { provider: 'github', connection: 'github', user_id: 5550 },
  ];
  const providers = new Set(['okta', 'adfs', 'line', 'github', 'oidc']);
  expect(auth0.toUser({ user_id: 'oidc|Okta|00u1', identities }, { providers })).toEqual({
    external_id: 'oidc|Okta|00u1',
    identities: [
      { provider: 'okta', subject: '00u1' },
      { provider: 'adfs', subject: 'ada@example.com' },
      { provider: 'line', subject: 'a|b' },
      { provider: 'github', subject: '5550' },
    ],
  });
});

describe("the separate file of Auth0's password hashes", () => {
  test('also applies to a user linked with the one who has the password', () => {
    const identities = [
      { provider: 'google-oauth2', user_id: '1101' },
      { provider: 'auth0', user_id: '1' },
    ];
    const options = { providers: new Set<string>(), passwords: new Map([['auth0|1', '$2b$10$x']]) };
    const read = (user: Record<string, unknown>) => auth0.toUser(user, options)['password_hash'];
    expect(read({ user_id: 'google-oauth2|1101', identities })).toBe('$2b$10$x');
    expect(read({ user_id: 'auth0|2', identities: identities.slice(0, 1) })).toBeUndefined();
  });

  const good = '{"_id":{"$oid":"1"},"passwordHash":"$2b$10$x"}\n';

  test.each([
    ['a line that is no JSON', `${good}{"_id":\n`, ':2: must be an object with'],
    ['a line without an id', `${good}{"passwordHash":"x"}\n`, ':2: must be an object with'],
    ['a line without a hash', `{"_id":{"$oid":"1"}}\n${good}`, ':1: must be an object with'],
    ['nothing', '\n', 'has no password hashes'],
  ])('is refused with %s', async (_, text, said) => {
    const file = join(folder, 'passwords.ndjson');
    await writeFile(file, text);
    await expect(readAuth0Passwords(file)).rejects.toThrow(said);
    await writeFile(file, good);
    expect([...(await readAuth0Passwords(file))]).toEqual([['auth0|1', '$2b$10$x']]);
  });
});
