import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ListedMember, Workspace } from '../generated/api.ts';
import { nextCursor, pages } from '../pages.ts';
import { type Listed, type Load, nothingYet } from './lists.ts';
import { useProvided, useSession } from './session.ts';

/**
 * A list, and how to ask for it again, such as after a change; `refresh` resolves when that is done, and never rejects.
 */
export type ListHook<Data> = Listed<Data> & { refresh: () => Promise<void> };

const none: Listed<never> = { data: undefined, error: undefined, loading: false };

/** The signed-in user's list with this key; components with the same key share it. No key: no list. */
export function useList<Data>(key: string | undefined, load: Load<Data>): ListHook<Data> {
  const { store } = useProvided();
  const { status } = useSession();
  const allLists = useSyncExternalStore(store.subscribe, store.lists, () => undefined);
  const lists = key === undefined ? undefined : allLists;
  const subscribe = useCallback(
    (listener: () => void) => lists?.watch(key as string, load, listener) ?? (() => {}),
    // The key says what `load` asks for.
    [lists, key],
  );
  const peek = (): Listed<Data> =>
    lists?.peek(key as string) ?? (key !== undefined && status === 'loading' ? nothingYet : none);
  const list = useSyncExternalStore(subscribe, peek, peek);
  const refresh = useCallback(async () => lists?.refresh(key as string), [lists, key]);
  return useMemo(() => ({ ...list, refresh }), [list, refresh]);
}

const loadWorkspaces: Load<Workspace[]> = async (api, signal) => {
  const workspaces: Workspace[] = [];
  for await (const each of pages(api.workspaces.list, { limit: 100 }, { signal }))
    workspaces.push(each);
  return workspaces;
};

export const workspacesKey = 'workspaces';

/** All workspaces of the signed-in user. */
export const useWorkspaces = (): ListHook<Workspace[]> => useList(workspacesKey, loadWorkspaces);

/** A workspace; nothing is asked for while there is no id. */
export const useWorkspace = (workspace_id: string | undefined): ListHook<Workspace> =>
  useList(
    workspace_id === undefined ? undefined : `workspace ${workspace_id}`,
    async (api, signal) =>
      (await api.workspaces.get({ workspace_id: workspace_id as string }, { signal })).body,
  );

/** Which members: see `members.list`. */
export type MembersInput = {
  status?: 'accepted' | 'pending' | undefined;
  /** Only members whose name or e-mail starts with this text. */
  query?: string | undefined;
  /** By default 20, at most 100. */
  limit?: number | undefined;
  /** `next` of the page before. */
  cursor?: string | undefined;
};

export type MembersPage = {
  result: ListedMember[];
  total: number;
  /** The cursor of the next page; undefined on the last. */
  next: string | undefined;
};

/** A page of the members of a workspace; nothing is asked for while there is no workspace. */
export function useMembers(
  workspaceId: string | undefined,
  { status = 'accepted', query, limit, cursor }: MembersInput = {},
): ListHook<MembersPage> {
  const input = { workspace_id: workspaceId as string, status, query, limit, cursor };
  return useList(
    workspaceId === undefined ? undefined : `members ${JSON.stringify(input)}`,
    async (api, signal) => {
      const { body, headers } = await api.members.list(input, { signal });
      return { result: body.result, total: body.total, next: nextCursor(headers) };
    },
  );
}
