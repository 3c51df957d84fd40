import type { Role } from '../model.ts';
import { profileCopy } from '../views.ts';
import type { Item } from './item.ts';
import { query } from './query.ts';
import { type Key, keys, prefixes } from './shape.ts';
import type { UserItem } from './users.ts';
import { type Condition, ConditionFailed, updateItem, where } from './write.ts';

/** How many copies are written side by side. */
const width = 25;

/**
 * Brings the copies of a user on its member items, and on the workspaces it owns, up to this version of the user.
 * May be interrupted and run again: a copy of the same or a newer version stays.
 */
export async function refreshCopies(user: UserItem): Promise<void> {
  const profile = profileCopy(user);
  const { version, uid, email } = user;
  for (const prefix of Object.values(prefixes)) {
    const { items } = await query<Item & { role: Role }>({
      index: 'by-member',
      partition: keys.user(uid).pk,
      prefix,
    });
    for (let i = 0; i < items.length; i += width) {
      await Promise.all(
        items.slice(i, i + width).map(async ({ pk, sk, role }) => {
          await updateIf(
            { pk, sk },
            { profile, profile_version: version },
            where('attribute_exists(#pk) AND #profile_version < :version', { version }),
          );
          // The owner is always an admin; a condition that fails costs a write too.
          if (role !== 'admin') return;
          await updateIf(
            { pk, sk: 'WS' },
            { owner_email: email, owner_version: version },
            where('#owner_id = :uid AND #owner_version < :version', { uid, version }),
          );
        }),
      );
    }
  }
}

async function updateIf(
  key: Key,
  set: Record<string, unknown>,
  condition: Condition,
): Promise<void> {
  try {
    await updateItem(key, { set }, condition);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
