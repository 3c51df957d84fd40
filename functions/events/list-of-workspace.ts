import { events, type LogEntryView } from '#shared/contract/events.ts';
import { keys } from '#shared/db/keys.ts';
import { authorizeLog } from '#shared/events/authorize-log.ts';
import { followLog } from '#shared/events/log.ts';
import { toEventPage } from '#shared/events/views.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { invalidField } from '#shared/model/errors.ts';
import { limits } from '#shared/model/limits.ts';

export const handler = endpoint(events.listOfWorkspace, async ({ params, query, caller }) => {
  const { workspace_id } = params;
  const after = Number(query.after ?? 0);
  const { pk } = keys.workspace(workspace_id);
  // Read in parallel with the authorization, and discarded if that fails.
  const [, page] = await Promise.all([
    authorizeLog(caller, workspace_id),
    followLog(pk, after, query.limit ?? limits.page.max),
  ]);
  if (!page) throw invalidField('/query/after', 'Is ahead of this log; take it from next_cursor');
  return toEventPage(page, page.events as LogEntryView[]);
});
