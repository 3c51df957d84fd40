import { users } from '#shared/contract/users.ts';
import { findByExternalId } from '#shared/directory/external-ids.ts';
import { findListed } from '#shared/directory/find-page.ts';
import { isFoundBy, termsOfPerson } from '#shared/directory/terms.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyFound } from '#shared/http/reply.ts';
import { getUidByEmail, getUser } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';

export const handler = endpoint(users.list, async ({ query, caller, page, now }) => {
  const { project_id } = caller;
  const { email, external_id, query: text, ...span } = query;
  if (email !== undefined || external_id !== undefined) {
    const uid =
      email === undefined
        ? await findByExternalId('USERS', project_id, external_id ?? '')
        : await getUidByEmail(project_id, email);
    const user = uid === undefined ? undefined : await getUser(project_id, uid);
    const result = user ? [toUser(user)] : [];
    return replyFound(result, { total: result.length, more: false });
  }
  const found = await findListed('USERS', project_id, { ...span, text }, page, now);
  // Read consistently: the lists lag for a moment, in which somebody may be deleted or get another name.
  const read = await Promise.all(found.ids.map((uid) => getUser(project_id, uid)));
  const result = read
    .filter((user) => user !== undefined)
    .filter((user) => text === undefined || isFoundBy(termsOfPerson(user), text))
    .map(toUser);
  return replyFound(result, found);
});
