import { bytesOfUuid, uuidOf } from '../model/uuid-bytes.ts';

/**
 * A token carries the ids of a workspace and of an item, in 43 characters, so that its item is found by key in one
 * read.
 */

const prefix = 'wid-';

/** Encodes a workspace id and a UUID in base64url. */
export const packIds = (workspace_id: string, uuid: string): string =>
  Buffer.concat([bytesOfUuid(workspace_id.slice(prefix.length)), bytesOfUuid(uuid)]).toString(
    'base64url',
  );

/** Decodes the output of `packIds`. Undefined if the text is not exactly what `packIds` writes. */
export function unpackIds(text: string): { workspace_id: string; uuid: string } | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== text) return undefined;
  const workspace_id = `${prefix}${uuidOf(bytes.subarray(0, 16))}`;
  return { workspace_id, uuid: uuidOf(bytes.subarray(16)) };
}
