import { useCallback, useMemo } from 'react';
import { claimsIn } from '../claims.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { useProvided } from './session.ts';

/**
 * The active workspace of the signed-in user; `workspace_id: null`: none. The role is that at the time of the token.
 */
export type ActiveWorkspace = {
  workspace_id: string | null;
  workspace_role?: string | undefined;
};

export type ActiveWorkspaceHook = ListHook<ActiveWorkspace> & {
  /**
   * Chooses the workspace that the access tokens name from now on; null: none. Throws `ApiError` as
   * `auth.selectWorkspace`.
   */
  select: (workspaceId: string | null) => Promise<void>;
};

/**
 * The workspace that the access tokens name. What another tab or another device of the session has chosen shows after
 * `refresh`.
 */
export function useActiveWorkspace(): ActiveWorkspaceHook {
  const { auth } = useProvided();
  const active = useList<ActiveWorkspace>('active workspace', async () => {
    const token = await auth.getAccessToken();
    const { workspace_id = null, workspace_role } = token === undefined ? {} : claimsIn(token);
    return { workspace_id, workspace_role };
  });
  const { refresh } = active;
  const select = useCallback(
    async (workspaceId: string | null) => {
      await auth.selectWorkspace(workspaceId);
      await refresh();
    },
    [auth, refresh],
  );
  return useMemo(() => ({ ...active, select }), [active, select]);
}
