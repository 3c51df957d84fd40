import { limits } from '../../shared/model/limits.ts';
import type { ProjectApi } from './project-api.ts';
import { requireOk } from './require-ok.ts';

/** An item of a list of the API. */
export type Resource = Record<string, unknown>;

/** A page of a list, and the cursor of the next. */
export async function readPage(
  api: ProjectApi,
  path: string,
  cursor?: string,
): Promise<{ page: Resource[]; next: string | undefined }> {
  const at = cursor === undefined ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
  const answer = await api.call('GET', at);
  const { result } = requireOk<{ result: Resource[] }>(answer, `GET ${path}`);
  const [, url] = /<([^>]+)>;\s*rel="next"/.exec(answer.link) ?? [];
  const next = url === undefined ? undefined : new URL(url).searchParams.get('cursor');
  return { page: result, next: next ?? undefined };
}

/** Every page of a list, in order. */
export async function* pagesOf(api: ProjectApi, path: string): AsyncGenerator<Resource[]> {
  let cursor: string | undefined;
  do {
    const { page, next } = await readPage(api, path, cursor);
    yield page;
    cursor = next;
  } while (cursor !== undefined);
}

/** The total, for the percentage: an estimate, because more may be created meanwhile. */
export async function countOf(
  api: ProjectApi,
  what: 'users' | 'workspaces',
): Promise<number | undefined> {
  const { status, body } = await api.call('GET', '/stats?days=1');
  if (status !== 200) return undefined;
  return (body as { totals?: Record<string, number> }).totals?.[what];
}

/** The users with these uids who exist. A search, because `GET /users/{uid}` may create a user. */
export async function usersOf(api: ProjectApi, all: readonly string[]): Promise<Resource[]> {
  const found: Resource[] = [];
  for (let at = 0; at < all.length; at += limits.searchUids) {
    const uids = all.slice(at, at + limits.searchUids);
    const answer = await api.call('POST', '/users/search', { body: { uids, limit: uids.length } });
    found.push(...requireOk<{ result: Resource[] }>(answer, 'POST /users/search').result);
  }
  return found;
}
