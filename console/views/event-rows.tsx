import { Accordion, Badge, Code, Group, Text } from '@mantine/core';
import type { Event } from '../../client/generated/api.ts';
import { ActedBy } from '../ui/acted-by.tsx';
import { Link } from '../ui/route.tsx';
import { When } from '../ui/when.tsx';

/** Events, each with its content to unfold. */
export const EventRows = ({ project, events }: { project: string; events: Event[] }) => (
  <Accordion variant="separated" chevronPosition="left" className="events" multiple>
    {events.map((event) => (
      <Accordion.Item key={event.id} value={event.id}>
        <Accordion.Control>
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {event.type}
              </Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {subjectOf(event)}
              </Text>
            </Group>
            <When at={event.time} size="sm" c="dimmed" />
          </Group>
        </Accordion.Control>
        <Accordion.Panel>
          <Group gap="xs" mb="xs">
            <Badge>by {event.actor.kind}</Badge>
            {event.actor.impersonator !== undefined && <ActedBy id={event.actor.impersonator} />}
            {event.data.user_id !== undefined && (
              <Link size="sm" href={`/projects/${project}/users/${event.data.user_id}`}>
                User
              </Link>
            )}
            {event.workspace_id !== undefined && (
              <Link size="sm" href={`/projects/${project}/workspaces/${event.workspace_id}`}>
                Workspace
              </Link>
            )}
          </Group>
          <Code block>{JSON.stringify(event, undefined, 2)}</Code>
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
);

/** What an event is about, as far as it says so. */
const subjectOf = ({ data }: Event): string =>
  data.email ?? data.user?.email ?? data.workspace?.name ?? data.domain ?? data.user_id ?? '';
