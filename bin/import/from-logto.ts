import { isObject } from '../../shared/model/json-object.ts';
import {
  type Format,
  flagOf,
  identitiesOf,
  metadataIn,
  profileOf,
  requireFields,
  requireObject,
  textOf,
  toIsoTime,
  UnusableRecord,
  withoutUndefined,
} from './format.ts';
import { readLines } from './read-lines.ts';

/** Logto's algorithms whose digests are accepted as they are. */
const usable = new Set(['Argon2i', 'Argon2id', 'Bcrypt']);

/** Users of Logto's `GET /api/users?includePasswordHash=true` as JSON lines; the guide has the script. */
export const logto: Format = {
  read: readLines,
  nameOf: (user) => ({ email: textOf(user['primaryEmail']), external_id: textOf(user['id']) }),
  toUser(value, options) {
    const user = requireObject(value);
    requireFields(user, ['id', 'primaryEmail', 'isSuspended', 'identities', 'passwordDigest']);
    const email = textOf(user['primaryEmail']);
    const identities = isObject(user['identities']) ? Object.entries(user['identities']) : [];
    const profile = isObject(user['profile']) ? user['profile'] : {};
    return withoutUndefined({
      external_id: textOf(user['id']),
      email,
      // Logto takes every primary e-mail as verified, in its ID tokens too.
      email_verified: email === undefined ? undefined : true,
      password_hash: hashOf(user),
      identities: identitiesOf(
        identities.map(([provider, account]) => ({
          provider,
          subject: isObject(account) ? account['userId'] : undefined,
        })),
        options,
      ),
      disabled: flagOf(user['isSuspended'], 'isSuspended') ? true : undefined,
      created_at: toIsoTime(user['createdAt'], 'createdAt'),
      app_metadata: metadataIn(user['customData']),
      ...profileOf({
        given_name: profile['givenName'],
        family_name: profile['familyName'],
        name: user['name'],
        username: user['username'],
        picture: user['avatar'],
      }),
    });
  },
};

function hashOf(user: Record<string, unknown>): string | undefined {
  const digest = textOf(user['passwordDigest']);
  const algorithm = textOf(user['passwordAlgorithm']) ?? '';
  if (digest !== undefined && !usable.has(algorithm))
    throw new UnusableRecord(`Has a password hash of ${algorithm}, which cannot be verified`);
  return digest;
}
