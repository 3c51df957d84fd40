import type { Item } from '../db/item.ts';
import { userSortKey, workspaceSortKey } from '../db/key-prefixes.ts';
import type { Totals } from '../stats/count-events.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';

/** What an item adds to the totals of its project. Undefined for an item that is neither a user nor a workspace. */
export function totalsOf(item: Item): Totals | undefined {
  const there = item['deleted_at'] === undefined;
  if (item.sk === userSortKey) return { users: there ? 1 : 0 };
  if (item.sk !== workspaceSortKey) return undefined;
  // Their count is exact: every membership changes it in its own transaction.
  const { total_member_count } = item as WorkspaceItem;
  return there ? { workspaces: 1, members: total_member_count } : { workspaces: 0, members: 0 };
}
