import { useCallback, useMemo } from 'react';
import type { OwnPermissions } from '../generated/api.ts';
import { holdsAll } from '../holds-all.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { useUser } from './session.ts';

export type CanHook = ListHook<OwnPermissions> & {
  /** Whether the user may do all of it. False until it is known. */
  can: (...permissions: string[]) => boolean;
};

/**
 * The permissions of the signed-in user in a workspace, so that a page shows only what they can use; the service and
 * your backend check them again. A changed role shows after `refresh`. Without a workspace there is no request.
 */
export function useCan(workspaceId: string | undefined): CanHook {
  const uid = useUser()?.uid;
  const list = useList<OwnPermissions>(
    workspaceId === undefined || uid === undefined ? undefined : `permissions ${workspaceId}`,
    async (api, signal) =>
      (await api.permissions.listOfCaller({ workspace_id: workspaceId ?? '' }, { signal })).body,
  );
  const ownPermissions = list.data?.permissions;
  const can = useCallback(
    (...permissions: string[]) => holdsAll(ownPermissions, permissions),
    [ownPermissions],
  );
  return useMemo(() => ({ ...list, can }), [list, can]);
}
