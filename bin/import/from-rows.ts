import { type Format, isTrue, jsonIn, present, requireObject } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readLines } from './read-lines.ts';

/** JSON lines, each a user of `POST /users/import`; what `npm run users:export` adds is left out. */
export const jsonl: Format = {
  read: readLines,
  toUser: (value) => requireObject(value),
};

const flags = ['email_verified', 'disabled'];
const json = ['identities', 'photos', 'urls'];
const names = ['given_name', 'family_name', 'formatted'];

/** A CSV file whose columns have the names of the fields of `POST /users/import`; lists are JSON. */
export const csv: Format = {
  read: readCsv,
  toUser(value) {
    const { ...row } = requireObject(value);
    for (const flag of flags) if (row[flag] !== undefined) row[flag] = isTrue(row[flag]);
    for (const list of json) if (row[list] !== undefined) row[list] = jsonIn(row[list], list);
    const name = present(Object.fromEntries(names.map((part) => [part, row[part]])));
    for (const part of names) delete row[part];
    return { ...row, ...(Object.keys(name).length > 0 && { name }) };
  },
};
