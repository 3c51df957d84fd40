import { inChunks } from '../db/batch-write.ts';
import { where } from '../db/condition.ts';
import { archivedPrefix } from '../db/index-attributes.ts';
import type { Item } from '../db/item.ts';
import { prefixes } from '../db/key-prefixes.ts';
import { type Key, keys, workspaceIdOf } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';
import { findUserItem, type UserItem } from '../identity/users/users.ts';
import type { Role } from '../model/fields.ts';
import type { MemberItem } from '../workspaces/items.ts';
import { projectProfile } from '../workspaces/members/profile-projection.ts';
import { removeIfDeleted } from './user-deletion-job.ts';

/** Profile copies that are updated in parallel. */
const concurrency = 25;

/**
 * Updates the copies of a user on their member items, and on the workspaces they own, to this version. May be
 * interrupted and run again: a copy of the same or a newer version stays.
 *
 * Does nothing for a version that is no longer stored. The write of each newer version has a record of its own, which
 * comes too, so the last one updates all copies. A user who changes often would otherwise write each version to each
 * membership.
 */
export async function refreshProfiles(user: UserItem): Promise<void> {
  const stored = await findUserItem(user.uid);
  if (stored && stored.version > user.version) return;
  for (const prefix of Object.values(prefixes)) {
    const { items } = await query<Item & { role: Role }>({
      index: 'by-member',
      partition: keys.user(user.uid).pk,
      prefix,
    });
    for (const chunk of inChunks(items, concurrency))
      await Promise.all(chunk.map((member) => refreshProfile(member, user)));
  }
}

/**
 * Updates the copy on a new or restored member item. If the user changed right after it was added, the index may not
 * have shown it to `refreshProfiles` yet.
 *
 * @param before the archived item, if it was restored: the index has not shown that to a `refreshProfiles` that came
 * first. Then the restored copy is of this version, but not the e-mail on the workspace
 */
export async function refreshNewProfile(member: MemberItem, before?: MemberItem): Promise<void> {
  const user = await removeIfDeleted(member);
  if (!user) return;
  if (user.version > member.profile_version) await refreshProfile(member, user);
  else if (before) await refreshOwner(member, user);
}

async function refreshProfile(member: Key & { role: Role }, user: UserItem): Promise<void> {
  const { pk, sk } = member;
  const { version } = user;
  await ifConditionHolds(
    updateItem(
      { pk, sk },
      { set: { profile: projectProfile(user), profile_version: version } },
      // An archived copy gets the profile when it is restored. Changed before, it would be no change that search
      // follows: the names from before would stay there for good.
      where(
        'attribute_exists(#pk) AND #profile_version < :version AND NOT begins_with(#by_member_sk, :archived)',
        { version, archived: archivedPrefix },
      ),
    ),
  );
  await refreshOwner(member, user);
}

async function refreshOwner(
  member: Key & { role: Role },
  { version, uid, email }: UserItem,
): Promise<void> {
  // A deleted workspace gets the e-mail when it is restored; with its owner deleted it must not get it back.
  // The owner is always an admin. Skips the write for others, because a failed condition costs a write too.
  if (member.role !== 'admin') return;
  await ifConditionHolds(
    updateItem(
      keys.workspace(workspaceIdOf(member)),
      { set: { owner_email: email, owner_version: version } },
      where(
        'attribute_not_exists(#deleted_at) AND #owner_id = :uid AND #owner_version < :version',
        { uid, version },
      ),
    ),
  );
}
