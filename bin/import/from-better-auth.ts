import {
  emailOf,
  type Format,
  flagOf,
  jsonIn,
  profileOf,
  requireFields,
  requireObjects,
  textOf,
  toIsoTime,
  unpadded,
  withoutUndefined,
} from './format.ts';
import { identitiesOf } from './identities.ts';
import { readLines } from './read-lines.ts';

/**
 * Rows of Better Auth's table `user` as JSON lines, each with its rows of the table `account`; the guide has the query.
 */
export const betterAuth: Format = {
  read: readLines,
  nameOf: (user) => ({ email: textOf(user['email']), external_id: textOf(user['id']) }),
  toUser(user, options) {
    requireFields(user, ['id', 'emailVerified', 'accounts']);
    const accounts = requireObjects(jsonIn(user['accounts'], 'accounts'), 'accounts');
    const credential = accounts.find(({ providerId }) => providerId === 'credential');
    const email = textOf(user['email']);
    const verified = flagOf(user['emailVerified'], 'emailVerified');
    return withoutUndefined({
      external_id: textOf(user['id']),
      ...emailOf(email, verified),
      password_hash: hashOf(textOf(credential?.['password'])),
      identities: identitiesOf(
        accounts.map(({ providerId, accountId }) => ({ provider: providerId, subject: accountId })),
        options,
      ),
      disabled: isBanned(user) ? true : undefined,
      created_at: toIsoTime(user['createdAt'], 'createdAt'),
      ...profileOf({ name: user['name'], username: user['username'], picture: user['image'] }),
    });
  },
};

/** Better Auth lets a user in again whose ban has ended, and takes it back only then. */
function isBanned(user: Record<string, unknown>): boolean {
  const until = toIsoTime(user['banExpires'], 'banExpires');
  const banned = flagOf(user['banned'], 'banned') ?? false;
  return banned && (until === undefined || until > new Date().toISOString());
}

/** Better Auth's own hashes: scrypt with N = 16384, r = 16, p = 1, whose salt is the text of its digits. */
function hashOf(password: string | undefined): string | undefined {
  const [, salt, key] = /^([0-9a-f]+):([0-9a-f]{128})$/.exec(password ?? '') ?? [];
  if (salt === undefined || key === undefined) return password;
  const base64 = (bytes: Buffer) => unpadded(bytes.toString('base64'));
  return `$scrypt$ln=14,r=16,p=1$${base64(Buffer.from(salt))}$${base64(Buffer.from(key, 'hex'))}`;
}
