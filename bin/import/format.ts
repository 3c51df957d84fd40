import { httpsUrl, line } from '../../shared/model/fields.ts';
import { isObject } from '../../shared/model/json-object.ts';
import { limits } from '../../shared/model/limits.ts';
import type { FileRecord } from './read-lines.ts';

/** A row of `POST /users/import`. */
export type UserRow = Record<string, unknown>;

/** The settings of an import that some formats need. */
export type FormatOptions = {
  /** Providers whose accounts are imported as identities; the project must have them. */
  providers: ReadonlySet<string>;
  /** Called for each account at another provider, with our name of the provider. */
  leaveOut?: ((provider: string) => void) | undefined;
  /** Parameters of Firebase's password hashes. */
  firebase?: FirebaseParameters | undefined;
  /** Password hashes from a separate file, by user id. */
  passwords?: ReadonlyMap<string, string> | undefined;
};

export type FirebaseParameters = {
  signerKey: string;
  saltSeparator: string;
  rounds: number;
  memCost: number;
};

/** Identifiers of a user for the file of errors, as far as their record has them. */
export type UserName = { email?: unknown; external_id?: unknown };

/** The export format of a service: reads its file and converts its users to rows. */
export type Format = {
  read(file: string): AsyncGenerator<FileRecord>;
  /** Identifies a record, even one that cannot become a user. */
  nameOf(user: Record<string, unknown>): UserName;
  /** Throws an `UnusableRecord`. */
  toUser(user: Record<string, unknown>, options: FormatOptions): UserRow;
};

/** A record cannot become a user; the message says why. */
export class UnusableRecord extends Error {
  override readonly name = 'UnusableRecord';
}

/** The identifiers of a row. */
export const nameOfRow = ({ email, external_id }: UserRow): UserName => ({ email, external_id });

/** The objects in a list; none if the value is not a list. For the name of a record that may be refused. */
export const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The objects of a list, or of none; what any other value says would be lost without an error. */
export function requireObjects(value: unknown, name: string): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  const objects = objectsIn(value);
  if (Array.isArray(value) && objects.length === value.length) return objects;
  throw new UnusableRecord(`${name}: Must be a list of objects`);
}

/** The object that a record must be. */
export function requireObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new UnusableRecord('Is no object');
}

/** Refuses a record without these fields: its user would lack for good what they say, such as the password. */
export function requireFields(record: Record<string, unknown>, names: readonly string[]): void {
  const missing = names.filter((name) => !Object.hasOwn(record, name));
  if (missing.length > 0)
    throw new UnusableRecord(`Has no ${missing.join(', ')}, as the guide's export has`);
}

/** A password hash; undefined for none. */
export function hashIn(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new UnusableRecord(`${name}: Must be a text`);
}

/** A hash, if its algorithm is one of these. */
export function usableHash(
  hash: string | undefined,
  algorithm: string,
  usable: ReadonlySet<string>,
): string | undefined {
  if (hash === undefined || usable.has(algorithm)) return hash;
  throw new UnusableRecord(`Has a password hash of ${algorithm}, which cannot be verified`);
}

/** An e-mail, and whether it is verified; where there is none, nothing is. */
export const emailOf = (email: string | undefined, verified: boolean | undefined): UserRow => ({
  email,
  email_verified: email !== undefined && verified ? true : undefined,
});

/** The customer's own data; undefined if there is none. */
export const metadataIn = (value: unknown): Record<string, unknown> | undefined =>
  isObject(value) && Object.keys(value).length > 0 ? value : undefined;

/** A text that is not empty, or undefined. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The spellings of a flag in other services and spreadsheets; PostgreSQL writes t and f. */
const flagWords: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, 'true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...[false, 0, 'false', 'f', 'no', 'n', '0'].map((word) => [word, false] as const),
]);

/**
 * A flag, or undefined where there is none. Throws an `UnusableRecord` that names the field for any other word: read as
 * false, it would let in a blocked user.
 */
export function flagOf(value: unknown, name: string): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === undefined || word === null || word === '') return undefined;
  const flag = flagWords.get(word);
  if (flag !== undefined) return flag;
  throw new UnusableRecord(`${name}: Must be true, t, yes, y or 1, or false, f, no, n or 0`);
}

/** A flag that every record must have: without it a blocked user would be let in. */
export function requireFlag(value: unknown, name: string): boolean {
  const flag = flagOf(value, name);
  if (flag !== undefined) return flag;
  throw new UnusableRecord(`${name}: Must be true or false`);
}

/** Numbers below are seconds: as milliseconds they would be before 1973-03-03. */
const leastMilliseconds = 1e11;

/**
 * A time in ISO 8601 or PostgreSQL's format. `Date` cannot read a zone with hours only, and reads a time without zone
 * as local time.
 */
const isoTime =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const zoneAtEnd = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/**
 * Converts a time of another service to our format: a text (UTC without a zone), seconds or milliseconds. Undefined for
 * none.
 */
export function toIsoTime(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : value;
  const time = new Date(
    typeof number === 'number'
      ? number * (number < leastMilliseconds ? 1_000 : 1)
      : withZone(typeof number === 'string' ? number.trim() : ''),
  );
  if (Number.isNaN(time.getTime()))
    throw new UnusableRecord(`${name}: Cannot be read as a time: ${String(value)}`);
  return time.toISOString();
}

function withZone(text: string): string {
  const found = isoTime.exec(text);
  if (!found) return zoneAtEnd.test(text) ? text : `${text} UTC`;
  const [, day = '', hours = '00:00', zone = 'Z'] = found;
  return `${day}T${hours}${zone.toUpperCase().replace(/^([+-]\d\d):?(\d\d)?$/, (_, hour: string, minute = '00') => `${hour}:${minute}`)}`;
}

/** The names of a profile. */
const nameLine = line(limits.name);

/** Converts profile data of another service to our profile. What the contract would refuse is left out of it. */
export function profileOf(fields: {
  given_name?: unknown;
  family_name?: unknown;
  name?: unknown;
  username?: unknown;
  picture?: unknown;
}): UserRow {
  const valid = (value: unknown) => nameLine.safeParse(textOf(value)).data;
  const [given_name, family_name] = [valid(fields.given_name), valid(fields.family_name)];
  const joined = [given_name, family_name].filter(Boolean).join(' ');
  const formatted = valid(fields.name) ?? valid(joined);
  const named = given_name !== undefined || family_name !== undefined;
  return withoutUndefined({
    display_name: formatted,
    ...(named && { name: withoutUndefined({ given_name, family_name, formatted }) }),
    preferred_username: valid(fields.username),
    thumbnail_url: httpsUrl.safeParse(textOf(fields.picture)).data,
  });
}

/** Base64 as in PHC strings: without padding, of the usual alphabet. */
export const unpadded = (base64: string): string =>
  base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');

/** Without the fields that are undefined. */
export const withoutUndefined = (row: UserRow): UserRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/** The value of a field that some exports write as JSON; undefined for none. */
export function jsonIn(value: unknown, name: string): unknown {
  if (value === '') return undefined;
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new UnusableRecord(`${name}: Is no JSON`);
  }
}
