import type { WorkspaceClaims } from '../access/access-token.ts';
import type { SessionItem } from '../access/live-session.ts';
import { isSingleFactor } from '../identity/sessions/authentication.ts';
import { limits } from '../model/limits.ts';
import { readRights } from '../roles/rights.ts';

/** `workspaceClaims` of a session that was read. */
export const claimsOfSession = (session: SessionItem): Promise<WorkspaceClaims> =>
  workspaceClaims(session, isSingleFactor(session));

/**
 * The active workspace of a session as its access tokens name it: what the user is and may do there now, the latter
 * unless it is too much for a token. Empty if none was chosen, the workspace was deleted, or asks for a second factor
 * that the user has not shown, or the user is no member any more or suspended. It is there again for a user who joins again.
 */
export async function workspaceClaims(
  {
    project_id,
    uid,
    workspace_id,
  }: Pick<SessionItem, 'project_id' | 'uid'> & { workspace_id?: string | undefined },
  singleFactor: boolean | Promise<boolean>,
): Promise<WorkspaceClaims> {
  if (workspace_id === undefined) return {};
  const rights = await readRights(project_id, workspace_id, uid, singleFactor);
  if (!rights) return {};
  const permissions = [...rights.permissions].toSorted();
  return {
    workspace_id,
    workspace_role: rights.role,
    ...(Buffer.byteLength(JSON.stringify(permissions)) > limits.tokenClaimBytes
      ? { permissions_truncated: true }
      : { permissions }),
  };
}
