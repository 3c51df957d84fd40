import type { LastUse } from '../access/last-use.ts';
import { query } from '../db/query.ts';
import { apiKeyUsePrefix, keys } from '../db/schema.ts';

/** The day on which each key of an owner was last used, by its id. */
export async function getKeyUses(owner_id: string): Promise<Map<string, string>> {
  const { pk } = keys.apiKeyUse(owner_id, '');
  const { items } = await query<LastUse>({ partition: pk, prefix: apiKeyUsePrefix });
  return new Map(items.map(({ sk, day }) => [sk.slice(apiKeyUsePrefix.length), day]));
}
