import { type KeyKind, type NamedKey, readKeyText } from '../access/api-key-text.ts';
import { getItem } from '../db/batch-loader.ts';
import type { UserItem } from '../identity/users/users.ts';
import { equalInConstantTime } from '../model/ids.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import { type ApiKeyItem, getApiKey, isLiveOf, type KeyOwner, ownerKey } from './items.ts';

/** A key that works now, with the principal that it acts as. */
export type LiveKey = {
  key: ApiKeyItem;
  owner: KeyOwner;
  /** The user had shown a second factor when they got the text that was found. */
  second_factor: boolean;
};

/** A text of a key as stored. */
type StoredText = Pick<ApiKeyItem, 'sha256' | 'second_factor'>;

/** Compared where there is no key, so that an unknown one takes the same steps. */
const noDigest = ''.padEnd(43, 'A');

/**
 * The key of this text, if it works now, by one strongly consistent read of it and its owner: revoked, expired and
 * unknown keys are all undefined, and so is one whose user is disabled or deleted, or whose workspace is or was
 * deleted. A text that cannot be a key, or is one of another kind, reads nothing.
 */
export async function findLiveKey(
  token: string,
  kinds: readonly KeyKind[],
  now: Date,
): Promise<LiveKey | undefined> {
  const named = readKeyText(token);
  if (!named || !kinds.includes(named.kind)) return undefined;
  const { kind, owner_id, key_id } = named;
  const [key, owner] = await Promise.all([
    getApiKey(kind, owner_id, key_id),
    getOwner(kind, owner_id),
  ]);
  const text = textOf(named, key, now);
  if (!key || !owner || !text || !isLiveOf(owner, key, now)) return undefined;
  return isUsable(key, owner)
    ? { key, owner, second_factor: text.second_factor === text.sha256 }
    : undefined;
}

async function getOwner(kind: NamedKey['kind'], id: string): Promise<KeyOwner | undefined> {
  const item = await getItem<UserItem & WorkspaceItem>(ownerKey(kind, id));
  return item && { kind, id, item };
}

/** The text as stored: the current one of the key, or a previous one that still works. */
function textOf(
  { sha256 }: NamedKey,
  key: ApiKeyItem | undefined,
  now: Date,
): StoredText | undefined {
  const current = equalInConstantTime(sha256, key?.sha256 ?? noDigest);
  const previous = (key?.previous ?? []).find(
    (each) => equalInConstantTime(sha256, each.sha256) && each.ends_at > now.toISOString(),
  );
  return current ? key : previous;
}

function isUsable({ project_id }: ApiKeyItem, { kind, item }: KeyOwner): boolean {
  if (item.project_id !== project_id || item.deleted_at !== undefined) return false;
  return kind === 'workspace' || item.disabled === undefined;
}
