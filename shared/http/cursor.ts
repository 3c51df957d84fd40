import { invalidField } from '../model/errors.ts';
import { derive } from '../model/hmac.ts';
import { equalInConstantTime } from '../model/ids.ts';
import type { Page } from '../model/page.ts';

/** What a cursor is valid for: one query of one caller, with any page size. */
export type CursorScope = {
  key: string;
  caller: string;
  path: string;
  query: Record<string, unknown>;
};

const paging = new Set(['offset', 'limit', 'cursor']);

/** Reads the page that a validated query requests. Throws `invalid_request` for a cursor of another scope. */
export function toPage(query: Record<string, unknown>, scope: CursorScope, pageSize: number): Page {
  const { offset = 0, limit = pageSize, cursor } = query as Partial<Page> & { cursor?: string };
  return { offset, limit, ...(cursor !== undefined && { after: readCursor(cursor, scope) }) };
}

/**
 * Creates a cursor for a position. The position is readable; the signature makes the cursor valid only in its scope.
 */
export function makeCursor(position: string, scope: CursorScope): string {
  return `${Buffer.from(position).toString('base64url')}.${signature(position, scope).toString('base64url')}`;
}

function readCursor(cursor: string, scope: CursorScope): string {
  const [position = ''] = cursor.split('.');
  const text = Buffer.from(position, 'base64url').toString('utf8');
  if (!equalInConstantTime(cursor, makeCursor(text, scope)))
    throw invalidField(
      '/query/cursor',
      'Invalid cursor for this list; use the one in the Link header',
    );
  return text;
}

function signature(position: string, { key, caller, path, query }: CursorScope): Buffer {
  const filters = Object.entries(query)
    .filter(([name, value]) => !paging.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const bound = JSON.stringify([position, caller, path, filters]);
  return derive(bound, key).subarray(0, 16);
}

/** The Link header (RFC 8288) of the next page. */
export function nextLink(position: string, url: string, scope: CursorScope): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(scope.query))
    if (value !== undefined && name !== 'offset' && name !== 'cursor')
      params.set(name, String(value));
  params.set('cursor', makeCursor(position, scope));
  return `<${url}?${params.toString()}>; rel="next"`;
}
