import { timingSafeEqual } from 'node:crypto';
import { newSecret, sha256 } from '../model/ids.ts';
import { packIds, unpackIds } from './compact-ids.ts';
import type { JoinLinkItem } from './join-links.ts';

const tokenPrefix = 'jl_';
const idPrefix = 'lnk-';

/** A new token of a join link: which link it is, and 256 random bits. With what the table keeps of it. */
export function newJoinToken(
  workspace_id: string,
  link_id: string,
): { token: string; token_sha256: string } {
  const secret = newSecret();
  const token = `${tokenPrefix}${packIds(workspace_id, link_id.slice(idPrefix.length))}.${secret}`;
  return { token, token_sha256: sha256(secret) };
}

/** Which link a token names, and its secret part; undefined where it is none of ours. */
export function readJoinToken(
  token: string,
): { workspace_id: string; link_id: string; secret: string } | undefined {
  if (!token.startsWith(tokenPrefix)) return undefined;
  const [ids = '', secret = ''] = token.slice(tokenPrefix.length).split('.');
  const named = unpackIds(ids);
  return (
    named && {
      workspace_id: named.workspace_id,
      link_id: `${idPrefix}${named.uuid}`,
      secret,
    }
  );
}

/** Whether the secret part of a token is that of the link; the digests are compared in constant time. */
export const isTokenOf = (secret: string, { token_sha256 }: JoinLinkItem): boolean =>
  timingSafeEqual(Buffer.from(sha256(secret)), Buffer.from(token_sha256));
