import { attributeUnchanged, type Condition } from '../../db/condition.ts';
import type { Item } from '../../db/item.ts';
import { apiKeyPrefix } from '../../db/key-prefixes.ts';
import { keys } from '../../db/keys.ts';
import type { HasPendingEvents } from '../../db/outbox.ts';
import { query } from '../../db/query.ts';
import { currentRequest } from '../../db/request-context.ts';
import type { EventDraft } from '../../model/events.ts';
import type { UserItem } from '../users/users.ts';

/** What decides whether an API key of a user works, besides its text. */
type UserKey = { key_id: string; generation?: number; ends_at?: string };

/** Whether a key of a user has not expired, and was not ended together with all others. */
export const isLiveKeyOf = (
  { key_generation = 0 }: UserItem,
  { generation, ends_at }: Omit<UserKey, 'key_id'>,
  now: Date,
): boolean =>
  generation === key_generation && (ends_at === undefined || ends_at > now.toISOString());

/**
 * Ends all API keys of a user, as a part of the changes of the user, with one event for each live key. Only complete in
 * a transaction that requires `noKeySince`: a key that is created in between would end without an event.
 */
export async function endKeys(user: UserItem) {
  const { now } = currentRequest();
  const { items } = await query<Item & UserKey>({
    partition: keys.user(user.uid).pk,
    prefix: apiKeyPrefix,
  });
  return {
    increment: { key_generation: 1 },
    events: items
      .filter((key) => isLiveKeyOf(user, key, now))
      .map(({ key_id }): EventDraft => ({ type: 'user.api_key.revoked', data: { key_id } })),
  };
}

/**
 * True while no API key of the user has been created since the user was read: each creation is an event of the user.
 *
 * @param recorded events that the request itself has added to the user since
 */
export const noKeySince = (
  { event_count }: UserItem & HasPendingEvents,
  recorded: number,
): Condition =>
  attributeUnchanged('event_count', recorded === 0 ? event_count : (event_count ?? 0) + recorded);
