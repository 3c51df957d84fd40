import type { User } from '../generated/api.ts';
import { type ListHook, useList } from './list-hooks.ts';

/** The user as they are now: what the session knows of them is as old as its last refresh. */
export const useMe = (): ListHook<User> =>
  useList<User>('me', async (api, signal) => (await api.users.getMe({}, { signal })).body);
