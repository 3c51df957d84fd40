import { type LastUse, recordUse } from '../access/last-use.ts';
import { apiKeyUsePrefix } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import type { LiveKey } from './live-key.ts';

/** The day on which a key was last used. Whatever writes keys deletes it with its key. */
export type KeyUseItem = LastUse & {
  project_id: string;
  /** The first use on that day that was recorded. */
  used_at?: string;
  /** That of a key which expires: DynamoDB deletes both. */
  expires_at?: number;
};

/** Records in the background that a key is used today. The stream makes an event of the first time (first-use.ts). */
export function recordKeyUse({ key, owner }: LiveKey, now: Date): void {
  const { project_id, key_id, expires_at } = key;
  recordUse(keys.apiKeyUse(owner.id, key_id), {
    project_id,
    used_at: now.toISOString(),
    ...(expires_at !== undefined && { expires_at }),
  });
}

/** The day on which each key of an owner was last used, by its id. */
export async function getKeyUses(owner_id: string): Promise<Map<string, string>> {
  const { pk } = keys.apiKeyUse(owner_id, '');
  const { items } = await query<LastUse>({ partition: pk, prefix: apiKeyUsePrefix });
  return new Map(items.map(({ sk, day }) => [sk.slice(apiKeyUsePrefix.length), day]));
}
