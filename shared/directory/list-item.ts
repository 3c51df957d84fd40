import { getItem } from '../db/batch-loader.ts';
import type { Key } from '../db/keys.ts';
import { refreshDirectory } from './refresh.ts';

/** Lists a user or workspace that was created before there were lists. May be repeated. */
export const listItem = async (key: Key): Promise<void> =>
  refreshDirectory(undefined, await getItem(key));
