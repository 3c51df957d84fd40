import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../ids.ts';
import type { InvitationItem } from '../table/invitations.ts';
import { deriveText } from './mail-secret.ts';

/**
 * An invitation has two tokens. The one in the mail proves the mailbox. The one in the link that the inviter gets does
 * not, or every inviter could prove to be anyone: it only tells the invitee's own session which invitation is meant.
 * The second follows from the first and not the other way round, so one digest in the table tells both apart.
 */
export type TokenSource = 'mail' | 'link';

type Named = Pick<InvitationItem, 'workspace_id' | 'user_id' | 'member_id' | 'modified_at'>;

/** The token of an invitation as it was made or last renewed: whose it is, and 256 bits. Derived, so it is stored nowhere. */
export function invitationToken(invitation: Named, source: TokenSource, key: Buffer): string {
  const { workspace_id, user_id } = invitation;
  const ids = Buffer.from(`${hexOf(workspace_id.slice(prefix.length))}${hexOf(user_id)}`, 'hex');
  const mailed = mailedSecret(invitation, key);
  return `${ids.toString('base64url')}.${source === 'mail' ? mailed : handedOf(mailed)}`;
}

/** What the table keeps of the tokens of an invitation. */
export const digestOf = (invitation: Named, key: Buffer): string =>
  sha256(handedOf(mailedSecret(invitation, key)));

/** Which invitation a token names, and its secret part; undefined where it is none of ours. */
export function readInvitationToken(
  token: string,
): { workspace_id: string; uid: string; secret: string } | undefined {
  const [ids = '', secret = ''] = token.split('.');
  const bytes = Buffer.from(ids, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== ids) return undefined;
  const [wid, uid] = [bytes.subarray(0, 16), bytes.subarray(16)].map((half) => uuidOf(half));
  return { workspace_id: `${prefix}${wid}`, uid: uid ?? '', secret };
}

/** By which way a token came, if it is one of the two whose digest, or the beginning of it, this is; in constant time. */
export function sourceOfToken(secret: string, digest: string): TokenSource | undefined {
  const beginning = (text: string) => sha256(text).slice(0, digest.length);
  const isMailed = isSame(beginning(handedOf(secret)), digest);
  const isHanded = isSame(beginning(secret), digest);
  if (isMailed) return 'mail';
  return isHanded ? 'link' : undefined;
}

const prefix = 'wid-';

const mailedSecret = ({ member_id, modified_at }: Named, key: Buffer): string =>
  deriveText(`invitation ${member_id} ${modified_at}`, key);

const handedOf = (mailed: string): string => sha256(`handed ${mailed}`);

const hexOf = (uuid: string): string => uuid.replaceAll('-', '');

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
