import { parse, stringify } from 'uuid';

/** The id of a user as authenticators keep it: 16 bytes, base64url. It names nobody to whoever finds the device. */
export const userHandleOf = (uid: string): string => Buffer.from(parse(uid)).toString('base64url');

/** The uid in a user handle. Undefined if it is none that this service made. */
export function uidOf(userHandle: string | null | undefined): string | undefined {
  const bytes = Buffer.from(userHandle ?? '', 'base64url');
  if (bytes.length !== 16) return undefined;
  try {
    return stringify(bytes);
  } catch {
    return undefined;
  }
}
