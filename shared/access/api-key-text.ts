import { randomBytes } from 'node:crypto';
import { sha256 } from '../model/ids.ts';
import { bytesOfUuid, uuidOf } from '../model/uuid-bytes.ts';

/**
 * The text of an API key: `wuk_` (of a user) or `wwk_` (of a workspace), the ids of its owner and of itself, 32 random
 * bytes, and a checksum, by which secret scanners distinguish a leak from noise. The ids find its item by key, in one
 * read. Only its SHA-256 is stored.
 */

const prefixes = { user: 'wuk_', workspace: 'wwk_' } as const;
export type KeyKind = keyof typeof prefixes;

/** What an id has before its UUID. */
const ownerPrefixes = { user: '', workspace: 'wid-' } as const;
const keyIdPrefix = 'key-';

const checksumLength = 6;
const idBytes = 16;
const secretBytes = 32;
const bodyLength = Math.ceil(((2 * idBytes + secretBytes) * 4) / 3);

/** Which key a text says to be, and its digest. */
export type NamedKey = { kind: KeyKind; owner_id: string; key_id: string; sha256: string };

/** Makes the text of a key. */
export function newKeyText(kind: KeyKind, owner_id: string, key_id: string): string {
  const body = Buffer.concat([
    bytesOfUuid(owner_id.slice(ownerPrefixes[kind].length)),
    bytesOfUuid(key_id.slice(keyIdPrefix.length)),
    randomBytes(secretBytes),
  ]).toString('base64url');
  return `${prefixes[kind]}${body}${checksum(body)}`;
}

/** Reads the ids of a key. Undefined if the text has not exactly the form and the checksum of one. */
export function readKeyText(text: string): NamedKey | undefined {
  const kind = (['user', 'workspace'] as const).find((each) => text.startsWith(prefixes[each]));
  if (!kind) return undefined;
  const body = text.slice(prefixes[kind].length, -checksumLength);
  const bytes = Buffer.from(body, 'base64url');
  const wellFormed =
    body.length === bodyLength &&
    bytes.toString('base64url') === body &&
    text.endsWith(checksum(body));
  if (!wellFormed) return undefined;
  return {
    kind,
    owner_id: `${ownerPrefixes[kind]}${uuidOf(bytes.subarray(0, idBytes))}`,
    key_id: `${keyIdPrefix}${uuidOf(bytes.subarray(idBytes, 2 * idBytes))}`,
    sha256: sha256(text),
  };
}

/** Whether an Authorization header has an API key as its bearer token, valid or not. */
export const hasApiKey = (authorization: string | undefined): boolean =>
  /^bearer +(?:wuk|wwk)_/i.test(authorization ?? '');

const checksum = (body: string): string => sha256(body).slice(0, checksumLength);
