import { roleHolderPrefix, roleHolders } from '../db/index-attributes.ts';
import { epochSeconds } from '../db/item.ts';
import { queryPages } from '../db/query.ts';
import { ApiError } from '../model/errors.ts';
import { limits } from '../model/limits.ts';
import { isArchived, isOpen } from '../workspaces/items.ts';
import { roleOf } from './definitions.ts';
import type { Roles } from './stored.ts';

/** What tells whether a member, an invitation or a join link still counts. */
type Holder = {
  pk: string;
  sk: string;
  by_member_sk?: string;
  invitation_expires_at?: string;
  expires_at?: number;
};

/**
 * Throws `role_in_use` while members, open invitations or live join links have a role, or another role inherits from
 * it. The index that finds them lags by about a second: a member who gets the role in that second keeps its name, and
 * has no right of it. A workspace asks the same before it defines a role anew.
 *
 * @param owner the workspace, if the role is its own
 */
export async function requireUnused(
  { project_id, definitions }: Roles,
  role: string,
  now: Date,
  owner = project_id,
): Promise<void> {
  const heirs = Object.keys(definitions.roles).filter((each) =>
    roleOf(definitions, each)?.inherits?.includes(role),
  );
  if (heirs.length > 0)
    throw new ApiError('role_in_use', {
      detail: `Other roles inherit from the role: ${heirs.join(', ')}`,
      members: { member_count: 0, inherited_by: heirs },
    });
  const counted = await countHolders(owner, role, (item) =>
    isCounted(item, owner !== project_id, now),
  );
  const isAtLeast = counted > limits.countedHolders;
  const member_count = Math.min(counted, limits.countedHolders);
  if (member_count > 0)
    throw new ApiError('role_in_use', {
      detail: `${member_count}${isAtLeast ? ' or more' : ''} members, invitations and join links have the role`,
      members: { member_count, ...(isAtLeast && { member_count_is_at_least: true }) },
    });
}

/**
 * Counts who has a role, at most one more than is said. Those that count no more are passed over, however many they
 * are.
 */
async function countHolders(
  owner: string,
  role: string,
  counts: (item: Holder) => boolean,
): Promise<number> {
  let counted = 0;
  const pages = queryPages<Holder>({
    index: 'by-email',
    partition: roleHolders(owner, role),
    prefix: roleHolderPrefix,
    limit: limits.countedHolders + 1,
    attributes: ['pk', 'sk', 'by_member_sk', 'invitation_expires_at', 'expires_at'],
  });
  for await (const items of pages) {
    counted += items.filter(counts).length;
    if (counted > limits.countedHolders) break;
  }
  return counted;
}

/**
 * For a role of the project nobody of a deleted workspace counts: it can be restored, and then the role says nothing.
 * Whose own the role is, that workspace exists: it was restored just now, and its members come back.
 */
function isCounted(item: Holder, isOwn: boolean, now: Date): boolean {
  const { by_member_sk, invitation_expires_at, expires_at } = item;
  if (!isOwn && by_member_sk !== undefined && isArchived(item)) return false;
  if (invitation_expires_at !== undefined) return isOpen({ invitation_expires_at }, now);
  return expires_at === undefined || expires_at > epochSeconds(now);
}
