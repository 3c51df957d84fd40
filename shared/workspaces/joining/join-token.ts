import { equalInConstantTime, newSecret, sha256 } from '../../model/ids.ts';
import { packIds, unpackIds } from '../compact-ids.ts';
import type { JoinLinkItem } from './join-links.ts';

const tokenPrefix = 'jl_';
const idPrefix = 'lnk-';

/** Creates the token of a join link: its ids and a 256-bit random secret. Returns it with the digest to store. */
export function newJoinToken(
  workspace_id: string,
  link_id: string,
): { token: string; token_sha256: string } {
  const secret = newSecret();
  const token = `${tokenPrefix}${packIds(workspace_id, link_id.slice(idPrefix.length))}.${secret}`;
  return { token, token_sha256: sha256(secret) };
}

/** Parses a token into its ids and its secret. Undefined if it is not a join link token. */
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

/** True if the secret belongs to the link. Compares the digests in constant time. */
export const isTokenOf = (secret: string, { token_sha256 }: JoinLinkItem): boolean =>
  equalInConstantTime(sha256(secret), token_sha256);
