import type { Caller, VerifiedCaller } from '../../access/caller.ts';
import type { Route } from '../../contract/route.ts';
import { currentRequest } from '../../db/request-context.ts';
import { limits } from '../../model/limits.ts';
import { type CursorScope, toPage } from '../cursor.ts';
import type { Exchange, Input, Validated } from '../exchange.ts';
import { readInput } from '../input.ts';

/**
 * Validates path, query, headers, body, page and precondition, and replaces API Gateway's event with the typed input.
 * Throws `invalid_request`.
 */
export const validation = <R extends Route>(route: R) => ({
  async before(exchange: Exchange): Promise<void> {
    const { event, internal } = exchange;
    const { caller, address = '' } = internal;
    const context = currentRequest();
    const { now } = context;
    if (caller?.kind !== 'project') context.acceptLanguage = event.headers['accept-language'];
    const { params, query, body, headers } = await readInput(route, event, internal);
    const cursorScope = cursorScopeOf(event.rawPath, query, caller);
    const pageSize = route.pageSize ?? limits.page.default;
    const page = cursorScope
      ? toPage(cursorScope.query, cursorScope, pageSize)
      : { offset: 0, limit: pageSize };
    const { domainName, http } = event.requestContext;
    const { method, path, userAgent } = http;
    const client = {
      address,
      // The type says string, but it is missing if the client sent no User-Agent.
      user_agent: (userAgent as string | undefined) ?? '',
      accept_encoding: event.headers['accept-encoding'],
      host: domainName,
      search: event.rawQueryString,
      authorization: event.headers['authorization'],
      cookies: event.cookies ?? [],
    };
    const input = { params, query, body, caller, page, client, method, path, now };
    const validated: Validated<R> = {
      headers: event.headers,
      input: input as unknown as Input<R>,
      preconditions: headers,
      cursorScope,
    };
    Object.assign(exchange, { event: validated });
  },
});

/** Who reads a list: a cursor works for its reader only. */
function ownerOf(caller: VerifiedCaller): string {
  switch (caller.kind) {
    case 'project':
      return caller.project_id;
    case 'person':
      return caller.uid;
    case 'workspace':
      return caller.workspace_id;
  }
}

/**
 * The scope of a cursor: this caller, path and filters. Only lists have a query, and only authenticated callers have a
 * signing key.
 */
function cursorScopeOf(
  path: string,
  query: unknown,
  caller: Caller | undefined,
): CursorScope | undefined {
  if (query === undefined || !caller || caller.kind === 'refresh') return undefined;
  return {
    key: caller.project.cursor_key,
    caller: ownerOf(caller),
    path,
    query: query as Record<string, unknown>,
  };
}
