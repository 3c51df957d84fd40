import { isObject } from '../../shared/model/json-object.ts';
import {
  emailOf,
  type Format,
  flagOf,
  hashIn,
  metadataIn,
  profileOf,
  requireFields,
  requireFlag,
  textOf,
  toIsoTime,
  UnusableRecord,
  usableHash,
  withoutUndefined,
} from './format.ts';
import { identitiesOf } from './identities.ts';
import { readLines } from './read-lines.ts';

/** Logto's algorithms whose digests are accepted as they are. */
const usable = new Set(['Argon2i', 'Argon2id', 'Bcrypt']);

/** Users of Logto's `GET /api/users?includePasswordHash=true` as JSON lines; the guide has the script. */
export const logto: Format = {
  read: readLines,
  nameOf: (user) => ({ email: textOf(user['primaryEmail']), external_id: textOf(user['id']) }),
  toUser(user, options) {
    requireFields(user, ['id', 'primaryEmail', 'identities', 'passwordDigest']);
    const suspended = requireFlag(user['isSuspended'], 'isSuspended');
    const email = textOf(user['primaryEmail']);
    // Logto takes every primary e-mail as verified, in its ID tokens too. The operator may add the field.
    const verified = flagOf(user['email_verified'], 'email_verified') ?? true;
    const profile = isObject(user['profile']) ? user['profile'] : {};
    return withoutUndefined({
      external_id: textOf(user['id']),
      ...emailOf(email, verified),
      password_hash: usableHash(
        hashIn(user['passwordDigest'], 'passwordDigest'),
        textOf(user['passwordAlgorithm']) ?? '',
        usable,
      ),
      identities: identitiesOf(
        identitiesIn(user['identities']).map(([provider, account]) => ({
          provider,
          subject: isObject(account) ? account['userId'] : undefined,
        })),
        options,
      ),
      disabled: suspended ? true : undefined,
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

/** The accounts by the name of their provider. */
function identitiesIn(value: unknown): [string, unknown][] {
  if (value === null) return [];
  if (isObject(value)) return Object.entries(value);
  throw new UnusableRecord('identities: Must be an object');
}
