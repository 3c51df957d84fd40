import { readUserExport } from '#shared/accounts/export.ts';
import { toUserExport } from '#shared/accounts/export-views.ts';
import { users } from '#shared/contract/users.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { notFound } from '#shared/model/errors.ts';

export const handler = endpoint(users.export, async ({ params, caller, page, now }) => {
  const { uid } = params;
  if (caller.kind === 'person' && uid !== caller.uid)
    throw notFound('a person exports themself only');
  const user = await requireUser(caller.project_id, uid);
  const { after } = page;
  const stored = await readUserExport(user, { after, caller }, now);
  const view = toUserExport(stored, caller.project, { caller, isFirst: after === undefined }, now);
  return reply(view, { next: stored.next });
});
