import type { KeyKind } from '../access/api-key-text.ts';
import { getItem } from '../db/batch-loader.ts';
import type { Condition } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { apiKeyPrefix } from '../db/key-prefixes.ts';
import { type Key, keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { isLiveKeyOf } from '../identity/sign-in/end-keys.ts';
import type { UserItem } from '../identity/users/users.ts';
import { isSinceRestored, type WorkspaceItem } from '../workspaces/items.ts';

/** What a key of a workspace can be there. */
export type KeyRole = 'admin' | 'member';

/** An API key as stored, in the partition of its owner. */
export type ApiKeyItem = Item & {
  key_id: string;
  project_id: string;
  /** Who or what it acts as: one of the two. */
  uid?: string;
  workspace_id?: string;
  name: string;
  /** What a key of a workspace is there. */
  role?: KeyRole;
  /** The permissions of the service and of the project that it is limited to; without them, to none. */
  permissions?: string[];
  /** The metadata as JSON: DynamoDB would limit numbers. */
  metadata?: string;
  sha256: string;
  /** Of a key of a user: the digest of the text that they got in a session of two factors. */
  second_factor?: string;
  /** Texts that were rotated away and still work. */
  previous?: { sha256: string; ends_at: string; second_factor?: string }[];
  /** The user who made a key of a workspace. Absent if the backend did. */
  created_by?: string;
  created_at: string;
  modified_at: string;
  /**
   * Of a key of a user: how often the keys of the user had been ended when it was made. Of a key of a workspace: how
   * often that had been restored; absent if it never was.
   */
  generation?: number;
  /** Without it, it works until it is revoked. */
  ends_at?: string;
  /** `ends_at` in epoch seconds, when DynamoDB deletes it. */
  expires_at?: number;
};

/** The user or workspace that a key belongs to. Its item has the events of its keys. */
export type KeyOwner =
  | { kind: 'user'; id: string; item: UserItem; conditions?: undefined }
  | {
      kind: 'workspace';
      id: string;
      item: WorkspaceItem;
      /** What must hold of it at the commit, for who manages its keys. */
      conditions?: readonly Condition[];
    };

/** The key of the item of an owner. */
export const ownerKey = (kind: KeyKind, id: string): Key =>
  kind === 'user' ? keys.user(id) : keys.workspace(id);

/** The key of the item of an API key. */
export const apiKeyKey = (kind: KeyKind, owner_id: string, key_id: string): Key =>
  keys.apiKey(ownerKey(kind, owner_id), key_id);

/** The key, expired or not, or undefined. */
export const getApiKey = (
  kind: KeyKind,
  owner_id: string,
  key_id: string,
): Promise<ApiKeyItem | undefined> => getItem<ApiKeyItem>(apiKeyKey(kind, owner_id, key_id));

/** Every key of an owner, expired ones included, oldest first. */
export async function listStoredKeys(kind: KeyKind, owner_id: string): Promise<ApiKeyItem[]> {
  const partition = ownerKey(kind, owner_id).pk;
  return (await query<ApiKeyItem>({ partition, prefix: apiKeyPrefix })).items;
}

/** Whether a key has not expired. DynamoDB deletes late. */
export const isUnexpired = ({ ends_at }: Pick<ApiKeyItem, 'ends_at'>, now: Date): boolean =>
  ends_at === undefined || ends_at > now.toISOString();

/**
 * Whether a key of an owner has not expired, and was not ended together with all others: those of a user end when the
 * mailbox is proved, those of a workspace when it is deleted.
 */
export const isLiveOf = (owner: KeyOwner, key: ApiKeyItem, now: Date): boolean =>
  owner.kind === 'user'
    ? isLiveKeyOf(owner.item, key, now)
    : isUnexpired(key, now) && isSinceRestored(key, owner.item);
