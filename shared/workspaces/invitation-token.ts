import { timingSafeEqual } from 'node:crypto';
import { deriveText } from '../model/hmac.ts';
import { sha256 } from '../model/ids.ts';
import { packIds, unpackIds } from './compact-ids.ts';
import type { InvitationItem } from './items.ts';

/**
 * An invitation has two tokens. The one in the mail proves the mailbox. The one in the link that the inviter gets does
 * not, or every inviter could prove to be anyone: it only tells the invitee's own session which invitation is meant.
 * The second follows from the first and not the other way round, so one digest in the table tells both apart.
 */
export type TokenKind = 'mail' | 'link';

type Named = Pick<InvitationItem, 'workspace_id' | 'user_id' | 'member_id' | 'modified_at'>;

/** The token of an invitation as it was made or last renewed: whose it is, and 256 bits. Derived, so it is stored nowhere. */
export function invitationToken(invitation: Named, source: TokenKind, key: Buffer): string {
  const { workspace_id, user_id } = invitation;
  const mailed = mailedSecret(invitation, key);
  return `${packIds(workspace_id, user_id)}.${source === 'mail' ? mailed : inviterSecret(mailed)}`;
}

/** What the table keeps of the tokens of an invitation. */
export const digestOf = (invitation: Named, key: Buffer): string =>
  sha256(inviterSecret(mailedSecret(invitation, key)));

/** Which invitation a token names, and its secret part; undefined where it is none of ours. */
export function readInvitationToken(
  token: string,
): { workspace_id: string; uid: string; secret: string } | undefined {
  const [ids = '', secret = ''] = token.split('.');
  const named = unpackIds(ids);
  return named && { workspace_id: named.workspace_id, uid: named.uuid, secret };
}

/** By which way a token came, if it is one of the two whose digest, or the beginning of it, this is; in constant time. */
export function tokenKind(secret: string, digest: string): TokenKind | undefined {
  // What has no token has no digest, which would be the beginning of any.
  if (digest.length < 22) return undefined;
  const beginning = (text: string) => sha256(text).slice(0, digest.length);
  const isMailed = isSame(beginning(inviterSecret(secret)), digest);
  const isHanded = isSame(beginning(secret), digest);
  if (isMailed) return 'mail';
  return isHanded ? 'link' : undefined;
}

const mailedSecret = ({ member_id, modified_at }: Named, key: Buffer): string =>
  deriveText(`invitation ${member_id} ${modified_at}`, key);

const inviterSecret = (mailed: string): string => sha256(`handed ${mailed}`);

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
