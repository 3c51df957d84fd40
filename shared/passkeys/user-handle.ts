import { bytesOfUuid, uuidOf } from '../model/uuid-bytes.ts';

/** The id of a user as authenticators keep it: 16 bytes, base64url. It names nobody to the finder of the device. */
export const userHandleOf = (uid: string): string => bytesOfUuid(uid).toString('base64url');

/** The uid in a user handle. Undefined if it is none that this service made. */
export function uidOf(userHandle: string | null | undefined): string | undefined {
  const bytes = Buffer.from(userHandle ?? '', 'base64url');
  return bytes.length === 16 ? uuidOf(bytes) : undefined;
}
