import { authorizeLog } from '#shared/auth/log-standing.ts';
import { events, type LogEntryView } from '#shared/contract/events.ts';
import { invalid } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { limits } from '#shared/limits.ts';
import { getLogHead, listLog } from '#shared/table/event-log.ts';
import { keys } from '#shared/table/shape.ts';
import { viewEventPage } from '#shared/event-view.ts';

export const handler = endpoint(events.listOfWorkspace, async ({ params, query, caller }) => {
  const { workspace_id } = params;
  const after = Number(query.after ?? 0);
  const { pk } = keys.workspace(workspace_id);
  // The page is read beside the standing, and thrown away with it if the caller may not see it.
  const [, page] = await Promise.all([
    authorizeLog(caller, workspace_id),
    listLog(pk, after, query.limit ?? limits.page.max),
  ]);
  const last = async () => (await getLogHead(pk))?.number ?? 0;
  if (page.events.length === 0 && after > 0 && after > (await last()))
    throw invalid('/query/after', 'Is ahead of this log; take it from next_cursor');
  return viewEventPage(page, page.events as LogEntryView[]);
});
