import { nextCursor } from '../../client/pages.ts';
import type { Page } from './list.tsx';
import { useQuery } from './route.tsx';
import { totalOf } from './total.ts';
import { type Loaded, useLoad } from './use-load.ts';

export type Answer<T> = {
  body: { result: T[]; total: number; total_is_at_least?: boolean };
  headers: Headers;
};

/** Loads the page of a list that the address names; `words` are those of its total. */
export function usePages<T>(
  key: string,
  words: [one: string, many: string],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Answer<T>>,
): Loaded<Page<T>> {
  const [query] = useQuery();
  const cursor = query.get('cursor') ?? undefined;
  return useLoad(`${key} ${cursor}`, async (signal) => {
    const { body, headers } = await load(cursor, signal);
    const follows = cursor !== undefined;
    return { rows: body.result, next: nextCursor(headers), total: totalOf(body, words), follows };
  });
}
