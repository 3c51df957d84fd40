/** A token that names what it is of is found by key, in one read; so it carries two ids, in 43 characters. */

const prefix = 'wid-';

/** The id of a workspace and a UUID, base64url. */
export const packIds = (workspace_id: string, uuid: string): string =>
  Buffer.from(`${hexOf(workspace_id.slice(prefix.length))}${hexOf(uuid)}`, 'hex').toString(
    'base64url',
  );

/** The ids of which `packIds` makes this very text; undefined where there are none. */
export function unpackIds(text: string): { workspace_id: string; uuid: string } | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== text) return undefined;
  const workspace_id = `${prefix}${uuidOf(bytes.subarray(0, 16))}`;
  return { workspace_id, uuid: uuidOf(bytes.subarray(16)) };
}

const hexOf = (uuid: string): string => uuid.replaceAll('-', '');

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
