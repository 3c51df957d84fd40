import { newKeyText } from '../access/api-key-text.ts';
import { type Change, change, create, del, update, type Write } from '../db/change.ts';
import {
  and,
  attributesUnchanged,
  attributeUnchanged,
  type Condition,
  exists,
  existsUndeleted,
} from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { newApiKeyId, sha256 } from '../model/ids.ts';
import { lifetimes, limits } from '../model/limits.ts';
import type { Metadata } from '../model/metadata.ts';
import { generationOf } from '../workspaces/items.ts';
import {
  type ApiKeyItem,
  apiKeyKey,
  isLiveOf,
  isUnexpired,
  type KeyOwner,
  type KeyRole,
  listStoredKeys,
  ownerKey,
} from './items.ts';
import type { Managed } from './owners.ts';

/** A key with its text, which only the response that makes it shows. */
export type ShownKey = { key: ApiKeyItem; text: string };

export type NewKey = {
  name: string;
  role?: KeyRole;
  permissions?: string[] | undefined;
  metadata?: Metadata | undefined;
  created_by?: string | undefined;
  /** Of a key of a user: whether they have shown a second factor. */
  second_factor?: boolean;
  /** Seconds. */
  expires_in?: number | undefined;
};

/** What a request changes of a key: what is absent stays. */
export type KeyChanges = { name?: string | undefined; metadata?: Metadata | undefined };

/**
 * Creates a key, and deletes those that work no more. Throws `api_key_limit_reached`; the limit is exact, because every
 * new key is an event of its owner. Refused with `not_found` if the owner is gone.
 */
export async function createKey(
  owner: KeyOwner,
  { name, role, permissions, metadata, created_by, second_factor, expires_in }: NewKey,
  checks: Managed['checks'],
  now: Date,
): Promise<Change<ShownKey>> {
  const { kind, id, item } = owner;
  const stored = await listStoredKeys(kind, id);
  if (stored.filter((each) => isLiveOf(owner, each, now)).length >= limits.apiKeys.perOwner)
    throw new ApiError('api_key_limit_reached');
  const key_id = newApiKeyId(now);
  const text = newKeyText(kind, id, key_id);
  const digest = sha256(text);
  const end = expires_in === undefined ? undefined : epochSeconds(now) + expires_in;
  const key: ApiKeyItem = {
    ...apiKeyKey(kind, id, key_id),
    key_id,
    project_id: item.project_id,
    ...(owner.kind === 'user'
      ? { uid: id, generation: owner.item.key_generation ?? 0 }
      : { workspace_id: id, ...generationOf(owner.item) }),
    name,
    ...(role && { role }),
    ...(permissions && { permissions: [...new Set(permissions)] }),
    ...(created_by !== undefined && { created_by }),
    ...textOf(metadata),
    sha256: digest,
    ...(second_factor && { second_factor: digest }),
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
    ...(end !== undefined && { ends_at: new Date(end * 1_000).toISOString(), expires_at: end }),
  };
  const writes = {
    owner: ownerUpdate(owner, eventOf('created', owner, key), true),
    key: create(key),
    ...endedDeletions(owner, stored, now),
    ...checks,
  };
  return change(writes, { key, text }, ifOwnerIsGone);
}

/** Changes what is given of a key. Changes nothing if it is the same. */
export function updateKey(
  owner: KeyOwner,
  key: ApiKeyItem,
  { name = key.name, metadata }: KeyChanges,
  checks: Managed['checks'],
  now: Date,
): Change<ApiKeyItem> {
  const { metadata: before, ...rest } = key;
  const after =
    metadata === undefined ? (before === undefined ? {} : { metadata: before }) : textOf(metadata);
  if (name === key.name && isSame(before, after.metadata)) return change({}, key);
  const set = { name, ...after, modified_at: modifiedAt(now, key) };
  const remove = after.metadata === undefined ? ['metadata'] : [];
  const writes = {
    owner: ownerUpdate(owner, eventOf('updated', owner, key)),
    key: update(keyOf(key), { set, remove }, keyUnchanged(key)),
    ...checks,
  };
  return change(writes, { ...rest, ...set }, ifOwnerIsGone);
}

/**
 * Gives a key a new text; the one before works for `overlap` seconds more, and with 0 none. Of those before that, the
 * newest stay until their time, so that a rotation which is repeated after a lost response ends none that is in use.
 *
 * @param options.second_factor whether the user who gets the text of their key has shown one
 */
export function rotateKey(
  owner: KeyOwner,
  key: ApiKeyItem,
  { overlap, second_factor = false }: { overlap: number; second_factor?: boolean },
  checks: Managed['checks'],
  now: Date,
): Change<ShownKey> {
  const text = newKeyText(owner.kind, owner.id, key.key_id);
  const digest = sha256(text);
  const last = {
    sha256: key.sha256,
    ends_at: new Date(now.getTime() + overlap * 1_000).toISOString(),
    ...(key.second_factor !== undefined && { second_factor: key.second_factor }),
  };
  // 0 ends every text: somebody else may have any of them.
  const texts = overlap === 0 ? [] : [last, ...(key.previous ?? [])];
  const previous = texts
    .filter(({ ends_at }) => ends_at > now.toISOString())
    .slice(0, limits.apiKeys.previousTexts);
  const { second_factor: _, ...rest } = key;
  const set = {
    sha256: digest,
    previous,
    modified_at: modifiedAt(now, key),
    ...(second_factor && { second_factor: digest }),
  };
  const remove = second_factor ? [] : ['second_factor'];
  const writes = {
    owner: ownerUpdate(owner, eventOf('rotated', owner, key)),
    key: update(keyOf(key), { set, remove }, keyUnchanged(key)),
    ...checks,
  };
  return change(writes, { key: { ...rest, ...set }, text }, ifOwnerIsGone);
}

/** Revokes a key: its next request is refused. */
export function revokeKey(
  owner: KeyOwner,
  key: ApiKeyItem,
  checks: Managed['checks'],
): Change<ApiKeyItem> {
  const writes = {
    owner: ownerUpdate(owner, eventOf('revoked', owner, key)),
    key: del(keyOf(key), exists),
    use: del(keys.apiKeyUse(owner.id, key.key_id)),
    ...checks,
  };
  return change(writes, key, ifOwnerIsGone);
}

/**
 * Keys that a creation deletes at most: more than it adds, so that none pile up, and a transaction has room for them.
 */
const mostDeleted = 20;

/**
 * Deletes keys that work no more. They count towards no limit; those of a user that were ended at once have no end at
 * which DynamoDB deletes them, and those that expire in a minute come faster than it deletes.
 */
const endedDeletions = (
  owner: KeyOwner,
  stored: readonly ApiKeyItem[],
  now: Date,
): Record<string, Write> =>
  Object.fromEntries(
    stored
      .filter((key) =>
        isUnexpired(key, now)
          ? owner.kind === 'user' && !isLiveOf(owner, key, now)
          : !isUnexpired(key, new Date(now.getTime() - lifetimes.clockTolerance * 1_000)),
      )
      .slice(0, mostDeleted)
      .flatMap((key): [string, Write][] => [
        [`ended ${key.key_id}`, del(keyOf(key))],
        [`use ${key.key_id}`, del(keys.apiKeyUse(owner.id, key.key_id))],
      ]),
  );

/** Metadata as it is stored. An empty object counts as none. */
const textOf = (metadata: Metadata = {}): { metadata?: string } =>
  Object.keys(metadata).length === 0 ? {} : { metadata: JSON.stringify(metadata) };

const isSame = (one = '{}', other = '{}'): boolean =>
  canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other));

const keyOf = ({ pk, sk }: ApiKeyItem) => ({ pk, sk });

/** `modified_at` alone is no version: a request that is run again writes the time that it read. */
const keyUnchanged = (key: ApiKeyItem): Condition =>
  attributesUnchanged(key, ['sha256', 'modified_at', 'name', 'metadata']);

/** Adds an event to the owner, whose number of events `counted` requires to be as it was read. */
function ownerUpdate(owner: KeyOwner, event: EventDraft, counted = false): Write {
  const { kind, id, item, conditions = [] } = owner;
  const { event_count } = item as { event_count?: number };
  const countUnchanged = counted ? attributeUnchanged('event_count', event_count) : undefined;
  const condition = and(existsUndeleted, countUnchanged, ...conditions);
  return update(ownerKey(kind, id), withEvents({}, event), condition);
}

function ifOwnerIsGone({ owner }: { owner?: Item | null }) {
  const gone = owner === null || owner?.['deleted_at'] !== undefined;
  return gone ? notFound('the owner of the key was deleted meanwhile') : undefined;
}

function eventOf(
  what: 'created' | 'updated' | 'rotated' | 'revoked',
  { kind }: KeyOwner,
  { key_id }: ApiKeyItem,
): EventDraft {
  return { type: `${kind}.api_key.${what}`, data: { key_id } };
}
