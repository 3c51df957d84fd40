import { users } from '#shared/contract/users.ts';
import { notFound } from '#shared/errors.ts';
import { viewExport } from '#shared/export-view.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { readHeldOn } from '#shared/table/user-export.ts';
import { requireUser } from '#shared/table/users.ts';

export const handler = endpoint(users.export, async ({ params, caller, page, now }) => {
  const { uid } = params;
  if (caller.kind === 'person' && uid !== caller.uid) throw notFound();
  const user = await requireUser(caller.project_id, uid);
  const current = caller.kind === 'person' ? caller.session_id : undefined;
  const isFirst = page.after === undefined;
  const held = await readHeldOn(user, page.after, now);
  const shown = viewExport(held, caller.project, { current, isFirst }, now);
  return reply(shown, { next: held.next });
});
