import { type EventView, events } from '#shared/contract/events.ts';
import { followFeed } from '#shared/events/feed.ts';
import { toEventPage } from '#shared/events/views.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { invalidField } from '#shared/model/errors.ts';
import { limits } from '#shared/model/limits.ts';

export const handler = endpoint(events.list, async ({ query, caller }) => {
  const after = Number(query.after ?? 0);
  const { project_id } = caller;
  const page = await followFeed(project_id, after, query.limit ?? limits.page.max);
  // A cursor ahead of the feed comes from elsewhere: its consumer would wait for ever, and miss the events until then.
  if (!page) throw invalidField('/query/after', 'Is ahead of this feed; take it from next_cursor');
  return toEventPage(
    page,
    page.events.map(({ event }) => event as EventView),
  );
});
