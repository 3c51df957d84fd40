import type { ApiKey } from '../contract/api-keys.ts';
import type { Metadata } from '../model/metadata.ts';
import type { ApiKeyItem } from './items.ts';

/** A key as shown to those who manage it. @param last_used_on the day of its last use */
export function toApiKey(item: ApiKeyItem, now: Date, last_used_on?: string): ApiKey {
  const { key_id, name, role, permissions, created_by, created_at, ends_at, previous = [] } = item;
  const latest = previous
    .map((each) => each.ends_at)
    .sort()
    .at(-1);
  const until = latest && ends_at && ends_at < latest ? ends_at : latest;
  return {
    key_id,
    name,
    ...(role !== undefined && { role }),
    ...(permissions && { permissions }),
    ...shownMetadata(item),
    ...(created_by !== undefined && { created_by }),
    created_at,
    ...(ends_at !== undefined && { expires_at: ends_at }),
    ...(last_used_on !== undefined && { last_used_on }),
    ...(until !== undefined && until > now.toISOString() && { previous_expires_at: until }),
  };
}

/** The metadata of a key, if it has any. */
export const shownMetadata = ({
  metadata,
}: Pick<ApiKeyItem, 'metadata'>): Pick<ApiKey, 'metadata'> =>
  metadata === undefined ? {} : { metadata: JSON.parse(metadata) as Metadata };
