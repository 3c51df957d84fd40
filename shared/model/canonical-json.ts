import { sha256 } from './ids.ts';

/**
 * One text for one JSON value, whoever writes it: no space, names sorted by UTF-16 code units, numbers and strings as
 * ECMAScript writes them (RFC 8785). What is undefined is left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** An event in its log: each entry holds the hash of the one before it. */
export type ChainLink = {
  /** Counts the events of one workspace, or of one user, from 1 without a gap. */
  number: number;
  event: unknown;
  /** Empty in the first entry. */
  previous_hash: string;
};

/** SHA-256, base64url, over the canonical JSON of the entry: of its number, its event and the hash before. */
export const chainHash = ({ number, event, previous_hash }: ChainLink): string =>
  sha256(canonicalJson({ number, event, previous_hash }));
