import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { toSearchResult } from '#shared/identity/users/views.ts';
import { limits } from '#shared/model/limits.ts';

export const handler = endpoint(users.search, async ({ body, caller }) => {
  const { uids, offset = 0, limit = limits.page.default } = body;
  const distinct = [...new Set(uids)];
  const read = await Promise.all(distinct.map((uid) => getUser(caller.project_id, uid)));
  const found = read.filter((user) => user !== undefined);
  const result = found.slice(offset, offset + limit).map(toSearchResult);
  return replyPage(result, { total: found.length });
});
