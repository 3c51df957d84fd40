import { getItem } from '../db/batch-loader.ts';
import {
  and,
  type Change,
  type Condition,
  create,
  del,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { withEvents } from '../db/outbox.ts';
import { joinLinkPrefix, keys } from '../db/schema.ts';
import type { EventDraft } from '../model/events.ts';
import type { Role } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import type { WorkspaceItem } from './items.ts';
import {
  isLive,
  type LimitedCollection,
  type LimitedItem,
  listStored,
  reserveSlot,
  workspaceExists,
} from './limited-collection.ts';
import { changeMemberships, requireAdmin } from './membership-transaction.ts';

/** A link by which anybody who has it joins, as often as it says. */
export type JoinLinkItem = LimitedItem & {
  link_id: string;
  workspace_id: string;
  project_id: string;
  role: Role;
  /** The person who made it; nobody for the project's back end. */
  created_by?: string;
  restrict_to_allowed_domains: boolean;
  /** How often it let somebody in, exactly. */
  use_count: number;
  /** None where it is good for any number. */
  max_uses?: number;
  /** SHA-256 of the secret part of its token, which is nowhere. */
  token_sha256: string;
  created_at: string;
  /** `expires_at` as text. */
  ends_at: string;
};

const links: LimitedCollection = {
  prefix: joinLinkPrefix,
  counter: 'join_link_count',
  most: limits.joinLinksPerWorkspace,
  code: 'join_link_limit_reached',
};

/** The link, live or not. */
export const getJoinLink = (
  workspace_id: string,
  link_id: string,
): Promise<JoinLinkItem | undefined> => getItem<JoinLinkItem>(keys.joinLink(workspace_id, link_id));

/** Every live link of a workspace, the oldest first; at most 50. */
export async function listJoinLinks(workspace_id: string, now: Date): Promise<JoinLinkItem[]> {
  const stored = await listStored<JoinLinkItem>(workspace_id, joinLinkPrefix);
  return stored.filter((link) => isLive(link, now));
}

/** A new link, not yet stored, that is good for so many seconds. */
export function newJoinLink(
  { workspace_id, project_id }: WorkspaceItem,
  given: Pick<JoinLinkItem, 'link_id' | 'role' | 'restrict_to_allowed_domains' | 'token_sha256'> & {
    created_by: string | undefined;
    max_uses: number | undefined;
    expires_in: number;
  },
  now: Date,
): JoinLinkItem {
  const { created_by, max_uses, expires_in, ...rest } = given;
  const end = epochSeconds(now) + expires_in;
  return {
    ...keys.joinLink(workspace_id, given.link_id),
    ...rest,
    workspace_id,
    project_id,
    ...(created_by !== undefined && { created_by }),
    ...(max_uses !== undefined && { max_uses }),
    use_count: 0,
    created_at: now.toISOString(),
    expires_at: end,
    ends_at: new Date(end * 1_000).toISOString(),
  };
}

/**
 * Stores a link; one that makes admins only while its maker owns the workspace. Throws `join_link_limit_reached`;
 * refused with `not_found`.
 */
export async function addJoinLink(
  workspace: WorkspaceItem,
  link: JoinLinkItem,
  now: Date,
): Promise<Change<JoinLinkItem>> {
  const { workspace_id } = workspace;
  const { changes, condition } = await reserveSlot(workspace, links, now);
  return changeMemberships(
    {
      workspace: update(
        keys.workspace(workspace_id),
        withEvents(changes, factOf('created', link)),
        [workspaceExists, condition, ...linkStillValid(link)].reduce(and),
      ),
      link: create(link),
      manager: requireAdmin(workspace_id, link.created_by),
    },
    link,
  );
}

/** Revokes a link: from now on it lets nobody in. Refused with `not_found`. */
export function revokeJoinLink(
  link: JoinLinkItem,
  manager: string | undefined,
): Change<JoinLinkItem> {
  const { workspace_id, pk, sk } = link;
  return changeMemberships(
    {
      workspace: update(
        keys.workspace(workspace_id),
        withEvents({ increment: { join_link_count: -1 } }, factOf('revoked', link)),
        workspaceExists,
      ),
      link: del({ pk, sk }, where('attribute_exists(#pk)')),
      manager: requireAdmin(workspace_id, manager),
    },
    link,
  );
}

/** Whether a link lets anybody in now. One that makes admins is only as good as the right of the owner who made it. */
export const isUsable = (link: JoinLinkItem, { owner_id }: WorkspaceItem, now: Date): boolean =>
  isLive(link, now) &&
  (link.max_uses === undefined || link.use_count < link.max_uses) &&
  (link.role !== 'admin' || link.created_by === undefined || link.created_by === owner_id);

/** What must hold of the workspace when a link lets somebody in, beside what the link says of itself. */
export const linkStillValid = ({ role, created_by }: JoinLinkItem): Condition[] =>
  role === 'admin' && created_by !== undefined
    ? [where('#owner_id = :maker', { maker: created_by })]
    : [];

/** Counts one use of a link that is live and not used up, in the transaction of the membership. */
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

const factOf = (what: 'created' | 'revoked', { link_id, role }: JoinLinkItem): EventDraft => ({
  type: `workspace.join_link.${what}`,
  data: { link_id, role },
});
