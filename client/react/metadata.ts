import { useCallback, useMemo } from 'react';
import type { UserMetadata } from '../generated/api.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { useProvided, useUser } from './session.ts';

export type MetadataHook = ListHook<UserMetadata> & {
  /**
   * Merges into `user_metadata` (RFC 7396): null removes a field. Nothing happens while nobody is signed in. Throws
   * `ApiError` as `users.mergeMetadata`.
   */
  merge: (patch: Record<string, unknown>) => Promise<void>;
};

/**
 * The metadata of the signed-in user: `user_metadata`, which the user writes, and `app_metadata`, which your backend
 * writes.
 */
export function useMetadata(): MetadataHook {
  const { auth } = useProvided();
  const uid = useUser()?.uid;
  const list = useList<UserMetadata>(
    uid === undefined ? undefined : 'metadata',
    async (api, signal) => (await api.users.getMetadata({ uid: uid ?? '' }, { signal })).body,
  );
  const { refresh } = list;
  const merge = useCallback(
    async (user_metadata: Record<string, unknown>) => {
      if (uid === undefined) return;
      await auth.api.users.mergeMetadata({ uid, user_metadata });
      await refresh();
    },
    [auth, uid, refresh],
  );
  return useMemo(() => ({ ...list, merge }), [list, merge]);
}
