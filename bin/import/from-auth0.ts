import { isObject } from '../../shared/model/json-object.ts';
import { CommandFailure } from '../flags.ts';
import {
  emailOf,
  type Format,
  type FormatOptions,
  flagOf,
  metadataIn,
  profileOf,
  requireObjects,
  textOf,
  toIsoTime,
  UnusableRecord,
  withoutUndefined,
} from './format.ts';
import { identitiesOf } from './identities.ts';
import { readLines } from './read-lines.ts';

/** The NDJSON file of Auth0's user export job; Auth0's support sends the password hashes in a separate file. */
export const auth0: Format = {
  read: readLines,
  nameOf: (user) => ({ email: textOf(user['email']), external_id: textOf(user['user_id']) }),
  toUser(user, options) {
    const id = textOf(user['user_id']);
    // Files of Auth0's extension, and of jobs with other field names, would become empty users.
    if (id === undefined)
      throw new UnusableRecord(
        'user_id: Is required; export by POST /api/v2/jobs/users-exports, in which user_id and the other fields keep their names',
      );
    const identities = requireObjects(user['identities'], 'identities');
    const email = textOf(user['email']);
    const verified = flagOf(user['email_verified'], 'email_verified');
    return withoutUndefined({
      external_id: id,
      ...emailOf(email, verified),
      password_hash: hashOf(id, identities, options),
      identities: identitiesOf(identities.map(accountOf), options),
      disabled: flagOf(user['blocked'], 'blocked') ? true : undefined,
      created_at: toIsoTime(user['created_at'], 'created_at'),
      user_metadata: metadataIn(user['user_metadata']),
      app_metadata: metadataIn(user['app_metadata']),
      ...profileOf({
        given_name: user['given_name'],
        family_name: user['family_name'],
        // Auth0 fills the name of users without one with their e-mail.
        name: user['name'] === user['email'] ? undefined : user['name'],
        username: user['username'],
        picture: user['picture'],
      }),
    });
  },
};

/** Strategies of which a tenant can have several connections, whose subjects may be equal. */
const strategies = new Set<unknown>(['adfs', 'oauth2', 'oidc', 'okta', 'pingfederate', 'samlp']);

/** An account at a provider. Auth0 puts the name of such a connection before the provider's own id. */
function accountOf({ provider, user_id, connection }: Record<string, unknown>) {
  const name = textOf(connection);
  if (name === undefined || !strategies.has(provider)) return { provider, subject: user_id };
  const [id, prefix] = [String(user_id), `${name}|`];
  return { provider: name, subject: id.startsWith(prefix) ? id.slice(prefix.length) : id };
}

/** The hash of a user, or of a user with a password whom Auth0 has linked to them. */
const hashOf = (
  id: string,
  identities: readonly Record<string, unknown>[],
  { passwords }: FormatOptions,
): string | undefined =>
  [id, ...identities.map(({ provider, user_id }) => `${String(provider)}|${String(user_id)}`)]
    .map((each) => passwords?.get(each))
    .find((hash) => hash !== undefined);

/**
 * The password hashes by user id, from the file of Auth0's support. Throws a `CommandFailure` for a line in another
 * format: its user would permanently be imported without a password.
 */
export async function readAuth0Passwords(file: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const record of readLines(file)) {
    const {
      _id: id,
      alt_id,
      passwordHash,
    } = 'value' in record && isObject(record.value) ? record.value : {};
    const own = textOf(alt_id) ?? (isObject(id) ? textOf(id['$oid']) : undefined);
    const hash = textOf(passwordHash);
    if (own === undefined || hash === undefined)
      throw new CommandFailure(
        `${file}:${record.line}: must be an object with _id.$oid or alt_id, and passwordHash.`,
      );
    found.set(`auth0|${own}`, hash);
  }
  if (found.size === 0) throw new CommandFailure(`${file} has no password hashes.`);
  return found;
}
