import type { KeyObject } from 'node:crypto';
import { deriveText } from '../../model/hmac.ts';
import { equalInConstantTime, sha256 } from '../../model/ids.ts';
import { packIds, unpackIds } from '../compact-ids.ts';
import type { InvitationItem } from '../items.ts';

/**
 * An invitation has two tokens. The `mail` token proves that its holder reads the mailbox. The `link` token, which the
 * inviter gets, does not: it only names the invitation to the invitee's own session. Otherwise an inviter could pose as
 * any invitee. The `link` token is a hash of the `mail` token, so that one stored digest identifies both.
 */
export type TokenKind = 'mail' | 'link';

type Named = Pick<InvitationItem, 'workspace_id' | 'user_id' | 'member_id' | 'modified_at'>;

/**
 * The token of an invitation as created or last renewed: its ids and a 256-bit secret. It is derived from a key and not
 * stored.
 */
export function invitationToken(invitation: Named, source: TokenKind, key: KeyObject): string {
  const { workspace_id, user_id } = invitation;
  const mailed = mailedSecret(invitation, key);
  return `${packIds(workspace_id, user_id)}.${source === 'mail' ? mailed : inviterSecret(mailed)}`;
}

/** The digest of both tokens that the table stores. */
export const invitationTokenDigest = (invitation: Named, key: KeyObject): string =>
  sha256(inviterSecret(mailedSecret(invitation, key)));

/** Parses a token into its ids and its secret. Undefined if it is not an invitation token. */
export function readInvitationToken(
  token: string,
): { workspace_id: string; uid: string; secret: string } | undefined {
  const [ids = '', secret = ''] = token.split('.');
  const named = unpackIds(ids);
  return named && { workspace_id: named.workspace_id, uid: named.uuid, secret };
}

/**
 * Returns which of the two tokens matches a stored digest or its prefix, or undefined if neither does. Compares in
 * constant time.
 */
export function tokenKind(secret: string, digest: string): TokenKind | undefined {
  // Invitations without a token have an empty digest, which would be a prefix of any.
  if (digest.length < 22) return undefined;
  const beginning = (text: string) => sha256(text).slice(0, digest.length);
  const isMailed = equalInConstantTime(beginning(inviterSecret(secret)), digest);
  const isHanded = equalInConstantTime(beginning(secret), digest);
  if (isMailed) return 'mail';
  return isHanded ? 'link' : undefined;
}

const mailedSecret = ({ member_id, modified_at }: Named, key: KeyObject): string =>
  deriveText(`invitation ${member_id} ${modified_at}`, key);

const inviterSecret = (mailed: string): string => sha256(`handed ${mailed}`);
