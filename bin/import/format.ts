import { isObject } from '../../shared/model/json-object.ts';
import type { FileRecord } from './read-lines.ts';

/** A row of `POST /users/import`. */
export type UserRow = Record<string, unknown>;

/** The settings of an import that some formats need. */
export type FormatOptions = {
  /** Providers whose accounts are imported as identities; the project must have them. */
  providers: ReadonlySet<string>;
  /** Called for each account at another provider, with our name of it. */
  leaveOut?: ((provider: string) => void) | undefined;
  /** Parameters of Firebase's password hashes. */
  firebase?: FirebaseParameters | undefined;
  /** Password hashes in a file of their own, by the id of the user. */
  passwords?: ReadonlyMap<string, string> | undefined;
};

export type FirebaseParameters = {
  signerKey: string;
  saltSeparator: string;
  rounds: number;
  memCost: number;
};

/** What names a user in the file of errors, as far as their record has it. */
export type UserName = { email?: unknown; external_id?: unknown };

/** The export format of a service: how its file is read, and how its users become rows. */
export type Format = {
  read(file: string): AsyncGenerator<FileRecord>;
  /** Names a record, also one that cannot become a user. */
  nameOf(user: Record<string, unknown>): UserName;
  /** Throws an `UnusableRecord`. */
  toUser(value: unknown, options: FormatOptions): UserRow;
};

/** A record cannot become a user; the message says why. */
export class UnusableRecord extends Error {
  override readonly name = 'UnusableRecord';
}

/** What names a row. */
export const nameOfRow = ({ email, external_id }: UserRow): UserName => ({ email, external_id });

/** The objects of a list; none if it is no list. */
export const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The object that a record must be. */
export function requireObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new UnusableRecord('Is no object');
}

/** Data of the customer's own; undefined if there is none. */
export const metadataIn = (value: unknown): Record<string, unknown> | undefined =>
  isObject(value) && Object.keys(value).length > 0 ? value : undefined;

/** A text that is not empty, or undefined. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** What other services and spreadsheets write for a flag; PostgreSQL writes t and f. */
const flagWords: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, 'true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...[false, 0, 'false', 'f', 'no', 'n', '0'].map((word) => [word, false] as const),
]);

/**
 * A flag, or undefined where there is none. Throws an `UnusableRecord` that names the field for any other word: taken
 * as false, it would let in a user who is blocked.
 */
export function flagOf(value: unknown, name: string): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === undefined || word === null || word === '') return undefined;
  const flag = flagWords.get(word);
  if (flag !== undefined) return flag;
  throw new UnusableRecord(`${name}: Must be true, t, yes, y or 1, or false, f, no, n or 0`);
}

/** Numbers below are seconds: as milliseconds they would be before 1973-03-03. */
const leastMilliseconds = 1e11;

/**
 * A time as ISO 8601 or PostgreSQL write it; Date does not read a zone of hours alone, and takes no zone for our own.
 */
const isoTime =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const zoneAtEnd = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/**
 * A time of another service in the form of ours: a text (UTC without a zone), seconds or milliseconds. Undefined for
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

/** What other services know of a person, as our profile. Names too long and pictures without https are left out. */
export function profileOf(fields: {
  given_name?: unknown;
  family_name?: unknown;
  name?: unknown;
  username?: unknown;
  picture?: unknown;
}): UserRow {
  const short = (value: unknown) => {
    const text = textOf(value);
    return text !== undefined && text.length <= 128 ? text : undefined;
  };
  const [given_name, family_name] = [short(fields.given_name), short(fields.family_name)];
  const joined = [given_name, family_name].filter(Boolean).join(' ');
  const formatted = short(fields.name) ?? short(joined);
  const picture = textOf(fields.picture);
  const named = given_name !== undefined || family_name !== undefined;
  const isUsable = picture?.startsWith('https://') && picture.length <= 2_048;
  return withoutUndefined({
    display_name: formatted,
    ...(named && { name: withoutUndefined({ given_name, family_name, formatted }) }),
    preferred_username: short(fields.username),
    thumbnail_url: isUsable ? picture : undefined,
  });
}

/** The names of providers at other services, and ours. */
const providerNames: Record<string, string> = {
  'google.com': 'google',
  'google-oauth2': 'google',
  oauth_google: 'google',
  'apple.com': 'apple',
  oauth_apple: 'apple',
  signinwithapple: 'apple',
  'microsoft.com': 'microsoft',
  windowslive: 'microsoft',
  azure: 'microsoft',
  oauth_microsoft: 'microsoft',
};

/** What other services list among the accounts of a user, though it is a method of their own: a password or a code. */
const ownMethods = new Set(['auth0', 'credential', 'email', 'password', 'phone', 'sms']);

/** The accounts at the providers that are to be imported; undefined for none. */
export function identitiesOf(
  all: readonly { provider: unknown; subject: unknown }[],
  { providers, leaveOut }: FormatOptions,
): { provider: string; subject: string }[] | undefined {
  const found = all.flatMap(({ provider, subject }) => {
    const label = textOf(provider)?.toLowerCase() ?? '';
    const name = providerNames[label] ?? label;
    if (providers.has(name)) return [{ provider: name, subject: String(subject) }];
    if (name !== '' && !ownMethods.has(name)) leaveOut?.(name);
    return [];
  });
  return found.length > 0 ? found : undefined;
}

/** Base64 as in PHC strings: without padding, of the usual alphabet. */
export const unpadded = (base64: string): string =>
  base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');

/** Without the fields that are undefined. */
export const withoutUndefined = (row: UserRow): UserRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

/** JSON in a field of a CSV file. */
export function jsonIn(value: unknown, name: string): unknown {
  if (typeof value !== 'string' || value === '') return value ?? undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new UnusableRecord(`${name}: Is no JSON`);
  }
}
