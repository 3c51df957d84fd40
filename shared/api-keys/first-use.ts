import { getItem } from '../db/batch-loader.ts';
import { create, update } from '../db/change.ts';
import { existsUndeleted } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { apiKeyUsePrefix } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { withEvents } from '../db/outbox.ts';
import { ifConditionHolds, removeItem, transact } from '../db/transaction.ts';
import type { EventDraft, PendingEvent } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import { apiKeyKey, ownerKey } from './items.ts';
import type { KeyUseItem } from './key-use.ts';

/**
 * Makes the first use of a key an event of its owner, by the key. The mark makes a repetition change nothing. A use
 * whose owner is deleted is no event; one whose key is revoked by now is, so that nobody misses that a leaked key was
 * used.
 */
export async function recordFirstUse({ pk, sk, used_at }: KeyUseItem, now: Date): Promise<void> {
  const owner_id = pk.slice(keys.apiKeyUse('', '').pk.length);
  const key_id = sk.slice(apiKeyUsePrefix.length);
  const kind = owner_id.startsWith('wid-') ? 'workspace' : 'user';
  const id = kind === 'user' ? { user_id: owner_id } : { workspace_id: owner_id };
  const event: EventDraft & Partial<Pick<PendingEvent, 'time'>> & Pick<PendingEvent, 'actor'> = {
    type: `${kind}.api_key.first_used`,
    // Code of before this event has noted no time.
    ...(used_at !== undefined && { time: used_at }),
    actor: { kind: 'api_key', id: key_id, ...id },
    data: { key_id },
  };
  const mark = {
    ...keys.apiKeyFirstUse(owner_id, key_id),
    expires_at: epochSeconds(now) + lifetimes.receipt,
  };
  await ifConditionHolds(
    transact({
      mark: create(mark),
      owner: update(ownerKey(kind, owner_id), withEvents({}, event), existsUndeleted),
    }),
  );
  // A request that was admitted just before its key ended writes the day afterwards, and nothing else would delete it.
  if (!(await getItem(apiKeyKey(kind, owner_id, key_id)))) await removeItem({ pk, sk });
}
