import { expect } from 'vitest';
import type { Answer } from './call.ts';
import type { World } from './world.ts';

/** Path and query of the next page, from the Link header; undefined on the last page. */
export function nextOf({ headers }: Answer): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Every page from `path` on, along the Link headers. */
export async function pagesFrom(world: World, path: string, auth: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const page: Answer = await world.call('GET', next, auth);
    expect(page.status).toBe(200);
    pages.push(page);
    next = nextOf(page);
  }
  return pages;
}
