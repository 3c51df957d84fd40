import { importedFields } from '../../shared/contract/user-import.ts';
import { isObject } from '../../shared/model/json-object.ts';
import {
  type Format,
  flagOf,
  jsonIn,
  nameOfRow,
  toIsoTime,
  UnusableRecord,
  type UserRow,
  withoutUndefined,
} from './format.ts';
import { readCsv } from './read-csv.ts';
import { readLines } from './read-lines.ts';

/** JSON lines, each a user of `POST /users/import`; fields that `npm run users:export` adds are omitted. */
export const jsonl: Format = {
  read: readLines,
  nameOf: nameOfRow,
  toUser: (row) => (isObject(row['verified']) ? ofExport(row) : row),
};

/** The fields of `POST /users/import`. Whether an e-mail is verified has another form in an export. */
const kept = importedFields().filter((field) => field !== 'email_verified');

/**
 * A line of `npm run users:export`. Users without an external id get their uid as one, because workspaces refer to them
 * by it.
 */
function ofExport(user: UserRow): UserRow {
  const verified = user['verified'] as { email?: boolean };
  const row = Object.fromEntries(
    kept.flatMap((field) => {
      const { [field]: value } = user;
      return value === undefined || value === '' ? [] : [[field, value]];
    }),
  );
  return {
    external_id: user['uid'],
    ...row,
    ...(row['email'] !== undefined && verified.email === true && { email_verified: true }),
  };
}

const flags = ['email_verified', 'disabled'];
const json = [
  ...['identities', 'photos', 'urls'],
  ...['user_metadata', 'app_metadata', 'private_metadata'],
];
const names = ['given_name', 'family_name', 'formatted'];

/**
 * A CSV file whose columns have the names of the fields of `POST /users/import`; lists are JSON, and times may be as a
 * database prints them.
 */
export const csv: Format = {
  read: readCsv,
  nameOf: nameOfRow,
  toUser({ ...row }) {
    const problems: string[] = [];
    const convert = (field: string, to: (value: unknown, name: string) => unknown) => {
      if (row[field] === undefined) return;
      try {
        row[field] = to(row[field], field);
      } catch (error) {
        if (!(error instanceof UnusableRecord)) throw error;
        problems.push(error.message);
      }
    };
    for (const flag of flags) convert(flag, flagOf);
    for (const list of json) convert(list, jsonIn);
    convert('created_at', toIsoTime);
    if (problems.length > 0) throw new UnusableRecord(problems.join('; '));
    const name = withoutUndefined(Object.fromEntries(names.map((part) => [part, row[part]])));
    for (const part of names) delete row[part];
    return { ...row, ...(Object.keys(name).length > 0 && { name }) };
  },
};
