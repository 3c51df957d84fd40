import { expect } from 'vitest';
import type { Answer } from './call.ts';
import { expectInvalid } from './expectations.ts';
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

/**
 * Expects a cursor to be valid only for its own caller and query. If it is changed, combined with an offset, used for
 * the `elsewhere` paths, or used by `others`, who see the same list, the response is a 400 that names it.
 */
export async function expectCursorBound(
  world: World,
  path: string,
  auth: string,
  { elsewhere = [], others = [] }: { elsewhere?: string[]; others?: string[] },
): Promise<void> {
  const next = nextOf(await world.call('GET', path, auth)) ?? '';
  const cursor = new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor') ?? '';
  const [position = '', signature = ''] = cursor.split('.');
  const refused = async (from: string, given: string, as = auth) => {
    const join = from.includes('?') ? '&' : '?';
    expectInvalid(await world.call('GET', `${from}${join}cursor=${given}`, as), '/query/cursor');
  };
  const earlier = Buffer.from('0').toString('base64url');
  for (const changed of ['', 'x', position, `${earlier}.${signature}`, `${cursor}A`])
    await refused(path, changed);
  await refused(`${path}&offset=1`, cursor);
  for (const other of elsewhere) await refused(other, cursor);
  for (const other of others) await refused(path, cursor, other);
  expect((await world.call('GET', next, auth)).status).toBe(200);
}
