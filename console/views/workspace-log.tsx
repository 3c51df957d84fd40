import { Button, Group, Stack, Text } from '@mantine/core';
import { clientOf, readNewest } from '../ui/api.ts';
import { LoadState } from '../ui/load-state.tsx';
import { useQuery } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.ts';
import { EventRows } from './event-rows.tsx';

/** How many events a page has at most. */
const step = 100;

/** The audit log of a workspace, the newest first. The address has the place of the last one of a page. */
export function WorkspaceLog({ project, workspace_id }: { project: string; workspace_id: string }) {
  const [query, setQuery] = useQuery();
  const cursor = query.get('cursor');
  const log = useLoad(`log ${workspace_id} ${cursor}`, async (signal) => {
    const { events } = clientOf(project);
    const last =
      cursor === null
        ? (await readNewest(project, signal, workspace_id)).after + step
        : Number(cursor);
    const after = Math.max(0, last - step);
    const page = { workspace_id, after: String(after), limit: last - after };
    const { body } = await events.listOfWorkspace(page, { signal });
    return { after, events: body.result.map(({ event }) => event).toReversed() };
  });
  const { data, failure } = log;
  if (!data || failure !== undefined) return <LoadState of={log} label="the audit log" />;
  return (
    <Stack gap="sm">
      {data.events.length === 0 ? (
        <Text c="dimmed">There are no events here.</Text>
      ) : (
        <EventRows project={project} events={data.events} />
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={cursor === null}
          onClick={() => setQuery({ cursor: '' })}
        >
          Newest events
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={data.after === 0}
          onClick={() => setQuery({ cursor: String(data.after) })}
        >
          Earlier events
        </Button>
      </Group>
    </Stack>
  );
}
