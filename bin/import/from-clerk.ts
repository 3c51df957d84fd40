import {
  emailOf,
  type Format,
  flagOf,
  profileOf,
  textOf,
  type UserRow,
  usableHash,
  withoutUndefined,
} from './format.ts';
import { readCsv } from './read-csv.ts';

/** Hashers of Clerk whose digests are accepted as they are. */
const usable = new Set(['bcrypt', 'argon2id', 'argon2i']);

/** Columns that decide who a user is and how they sign in. */
const columns = ['id', 'primary_email_address', 'verified_email_addresses', 'password_digest'];

/** The CSV file of Clerk's dashboard: Settings, Export all users. */
export const clerk: Format = {
  read: (file) => readCsv(file, columns),
  nameOf,
  toUser(user): UserRow {
    const { email, external_id } = nameOf(user);
    const verified = listIn(user['verified_email_addresses']);
    const digest = textOf(user['password_digest']);
    const hasher = textOf(user['password_hasher']) ?? 'bcrypt';
    return withoutUndefined({
      external_id,
      ...emailOf(email, verified.includes(email ?? '')),
      password_hash: usableHash(digest, hasher, usable),
      // Clerk's own file does not have this column: the operator adds it.
      disabled: flagOf(user['banned'], 'banned') ? true : undefined,
      ...profileOf({
        given_name: user['first_name'],
        family_name: user['last_name'],
        username: user['username'],
      }),
    });
  },
};

function nameOf(user: Record<string, unknown>) {
  const [verified] = listIn(user['verified_email_addresses']);
  const [unverified] = listIn(user['unverified_email_addresses']);
  return {
    email: textOf(user['primary_email_address']) ?? verified ?? unverified,
    external_id: textOf(user['id']),
  };
}

const listIn = (value: unknown): string[] => (textOf(value) ?? '').split(/[\s,|]+/).filter(Boolean);
