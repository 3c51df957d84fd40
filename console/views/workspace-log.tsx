import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { clientOf } from '../ui/api.ts';
import { LoadState } from '../ui/load-state.tsx';
import { useLoad } from '../ui/use-load.ts';
import { EventRows } from './event-rows.tsx';

/** The audit log of a workspace, oldest first, as the hash chain is. */
export function WorkspaceLog({ project, workspace_id }: { project: string; workspace_id: string }) {
  const [after, setAfter] = useState('0');
  const log = useLoad(`log ${workspace_id} ${after}`, async (signal) => {
    const { events } = clientOf(project);
    const { body } = await events.listOfWorkspace({ workspace_id, after, limit: 50 }, { signal });
    return body;
  });
  const { data, failure } = log;
  if (!data || failure !== undefined) return <LoadState of={log} label="the audit log" />;
  return (
    <Stack gap="sm">
      {data.result.length === 0 ? (
        <Text c="dimmed">There are no events after this.</Text>
      ) : (
        <EventRows project={project} events={data.result.map(({ event }) => event)} />
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={!data.more}
          onClick={() => setAfter(data.next_cursor)}
        >
          Later events
        </Button>
      </div>
    </Stack>
  );
}
