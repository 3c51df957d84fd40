import type { UsedKey } from '../access/caller.ts';
import { assert, type Write } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { type Key, keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { actingRoleUnchanged } from '../roles/own-roles.ts';
import type { Principal } from '../roles/principal.ts';
import { assertRolesUnchanged } from '../roles/stored.ts';
import { notRestoredSince, type WorkspaceItem } from './items.ts';

/** What a transaction of a principal contains beside its writes. */
type Acting = {
  /** The member whom the transaction writes: it may contain an item only once, and that write checks as much. */
  written?: string;
  /** Of `assignedRolesUnchanged`, for the roles that are given. */
  conditions?: Condition[];
};

/**
 * The writes of a transaction that changes a workspace, with what the right of the acting member or API key rests on:
 * it also fails as `principalChecks` and `stillManages` say.
 */
export const byPrincipal = <W extends { workspace: Write<WorkspaceItem> }>(
  writes: W,
  workspace_id: string,
  principal: Principal | undefined,
  { written, conditions = [] }: Acting = {},
): W & Record<string, Write> => ({
  ...writes,
  workspace: requiring(writes.workspace, [...stillManages(principal), ...conditions]),
  ...principalChecks(workspace_id, principal, written),
});

/**
 * Conditions on the workspace at the commit: an owner who acts still owns it, the own role of a member who acts is
 * still defined as it was read, and no deletion has ended the key of the workspace that acts. Empty for a backend.
 */
export const stillManages = (principal: Principal | undefined): Condition[] => [
  ...(principal?.standing === 'owner'
    ? [where('#owner_id = :acting_owner', { acting_owner: principal.uid })]
    : []),
  ...(principal && principal.uid === undefined ? [notRestoredSince(principal.key)] : []),
  ...actingRoleUnchanged(principal),
];

/** Name of the check of an API key among the writes of a transaction. */
export const apiKeyCheck = 'api_key';

/**
 * Fails the transaction if the API key of a user or workspace has been revoked or has expired. None for who acts by no
 * key.
 */
export function keyChecks(holder: Key, key: UsedKey | undefined): Record<string, Write> {
  if (!key) return {};
  const lives = 'attribute_exists(#pk) AND (attribute_not_exists(#ends_at) OR #ends_at > :key_now)';
  const key_now = currentRequest().now.toISOString();
  return { [apiKeyCheck]: assert(keys.apiKey(holder, key.key_id), where(lives, { key_now })) };
}

const requiring = <T extends Item>(write: Write<T>, conditions: Condition[]): Write<T> => {
  const [first, ...others] = write.condition ? [write.condition, ...conditions] : conditions;
  return first ? { ...write, condition: and(first, ...others) } : write;
};

/**
 * Fails the transaction if the acting member is no longer active, or no longer has the role by which they may do this;
 * if the API key that acts has ended; and, if the project defines the role, if the roles changed. None for a backend.
 * The item of the workspace must also be as `stillManages` says: `byPrincipal` adds that too.
 *
 * @param written the member whom the transaction writes: it may contain an item only once, and that write checks as
 * much
 */
export function principalChecks(
  workspace_id: string,
  principal: Principal | undefined,
  written?: string,
): Record<string, Write> {
  if (!principal) return {};
  const { uid, role, roles, key } = principal;
  return {
    ...(uid !== undefined &&
      uid !== written && {
        principal: assert(
          keys.member(workspace_id, uid),
          where('#role = :manager_role AND attribute_not_exists(#suspended_at)', {
            manager_role: role,
          }),
        ),
      }),
    ...keyChecks(uid === undefined ? keys.workspace(workspace_id) : keys.user(uid), key),
    ...(roles && { roles: assertRolesUnchanged(roles) }),
  };
}
