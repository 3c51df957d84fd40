import { getItem } from '../../db/batch-loader.ts';
import { type Change, create, del, update, type Write } from '../../db/change.ts';
import { and, exists, where } from '../../db/condition.ts';
import { byRole } from '../../db/index-attributes.ts';
import { epochSeconds } from '../../db/item.ts';
import { joinLinkPrefix } from '../../db/key-prefixes.ts';
import { keys } from '../../db/keys.ts';
import type { EventDraft } from '../../model/events.ts';
import type { Role } from '../../model/fields.ts';
import { limits } from '../../model/limits.ts';
import { assignedRolesUnchanged } from '../../roles/own-roles.ts';
import type { Principal } from '../../roles/principal.ts';
import { byPrincipal } from '../by-principal.ts';
import { generationOf, notRestoredSince, type WorkspaceItem } from '../items.ts';
import { changeInWorkspace, workspaceUpdate } from '../members/membership-transaction.ts';
import {
  isLiveItem,
  type LimitedCollection,
  type LimitedItem,
  listStored,
  reserveSlot,
} from './limited-collection.ts';

/** A link that lets everybody who has it join, up to its number of uses. */
export type JoinLinkItem = LimitedItem & {
  link_id: string;
  workspace_id: string;
  project_id: string;
  role: Role;
  /** The person who created it. Absent if a backend did. */
  created_by?: string;
  restrict_to_allowed_domains: boolean;
  /** The exact number of times it was used. */
  use_count: number;
  /** Absent: no limit. */
  max_uses?: number;
  /** SHA-256 of the secret part of its token. The token itself is not stored. */
  token_sha256: string;
  created_at: string;
  /** `expires_at` as an ISO 8601 string. */
  ends_at: string;
};

const links: LimitedCollection = {
  prefix: joinLinkPrefix,
  counter: 'join_link_count',
  max: limits.joinLinksPerWorkspace,
  code: 'join_link_limit_reached',
};

/** The link, live or ended, or undefined. */
export const getJoinLink = (
  workspace_id: string,
  link_id: string,
): Promise<JoinLinkItem | undefined> => getItem<JoinLinkItem>(keys.joinLink(workspace_id, link_id));

/** The links of a workspace, oldest first, live or ended: check `isLiveItem`. At most 50 are live. */
export const listJoinLinks = (workspace_id: string): Promise<JoinLinkItem[]> =>
  listStored<JoinLinkItem>(workspace_id, joinLinkPrefix);

/** A new link, not yet stored. `expires_in` is in seconds. */
export function newJoinLink(
  workspace: WorkspaceItem,
  fields: Pick<
    JoinLinkItem,
    'link_id' | 'role' | 'restrict_to_allowed_domains' | 'token_sha256'
  > & {
    created_by: string | undefined;
    max_uses: number | undefined;
    expires_in: number;
  },
  now: Date,
): JoinLinkItem {
  const { workspace_id, project_id } = workspace;
  const { created_by, max_uses, expires_in, ...rest } = fields;
  const end = epochSeconds(now) + expires_in;
  return {
    ...keys.joinLink(workspace_id, fields.link_id),
    ...byRole(project_id, fields.role, workspace_id, fields.link_id),
    ...rest,
    workspace_id,
    project_id,
    ...(created_by !== undefined && { created_by }),
    ...(max_uses !== undefined && { max_uses }),
    use_count: 0,
    ...generationOf(workspace),
    created_at: now.toISOString(),
    expires_at: end,
    ends_at: new Date(end * 1_000).toISOString(),
  };
}

/** Stores a link. Throws `join_link_limit_reached`. Refused with `not_found`. */
export async function addJoinLink(
  workspace: WorkspaceItem,
  link: JoinLinkItem,
  principal: Principal | undefined,
  now: Date,
): Promise<Change<JoinLinkItem>> {
  const { workspace_id } = workspace;
  const { changes, condition } = await reserveSlot(workspace, links, now);
  const writes = {
    workspace: workspaceUpdate(
      workspace_id,
      changes,
      [eventOf('created', link)],
      and(condition, notRestoredSince(workspace)),
    ),
    link: create(link),
  };
  const conditions = assignedRolesUnchanged(workspace, link.role);
  return changeInWorkspace(byPrincipal(writes, workspace_id, principal, { conditions }), link);
}

/** Revokes a link, which admits nobody from then on. Refused with `not_found`. */
export function revokeJoinLink(
  link: JoinLinkItem,
  principal: Principal | undefined,
): Change<JoinLinkItem> {
  const { workspace_id, pk, sk } = link;
  const writes = {
    workspace: workspaceUpdate(workspace_id, { increment: { join_link_count: -1 } }, [
      eventOf('revoked', link),
    ]),
    link: del({ pk, sk }, exists),
  };
  return changeInWorkspace(byPrincipal(writes, workspace_id, principal), link);
}

/** True if the link is live and has not been used up. */
export const isUsableLink = (link: JoinLinkItem, workspace: WorkspaceItem, now: Date): boolean =>
  isLiveItem(link, workspace, now) &&
  (link.max_uses === undefined || link.use_count < link.max_uses);

/** Counts one use of a link in the transaction of the membership. Fails if the link is not live or is used up. */
export function useJoinLink({ pk, sk, token_sha256 }: JoinLinkItem, now: Date): Write {
  const left = 'attribute_not_exists(#max_uses) OR #use_count < #max_uses';
  return update(
    { pk, sk },
    { add: { use_count: 1 } },
    where(`#token_sha256 = :token_sha256 AND #expires_at > :now AND (${left})`, {
      token_sha256,
      now: epochSeconds(now),
    }),
  );
}

const eventOf = (what: 'created' | 'revoked', { link_id, role }: JoinLinkItem): EventDraft => ({
  type: `workspace.join_link.${what}`,
  data: { link_id, role },
});
