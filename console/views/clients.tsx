import { Badge, Text } from '@mantine/core';
import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { Rows } from '../ui/rows.tsx';

/** The OAuth clients of a project. They are made in a terminal, which shows their secrets. */
export const Clients = ({ project }: { project: ProjectSummary }) =>
  (project.oauth_clients ?? []).length === 0 ? (
    <Text size="sm" c="dimmed">
      No application signs users in by the hosted pages. Create one with npm run
      project:create-client.
    </Text>
  ) : (
    <Rows
      label="Applications"
      rows={project.oauth_clients ?? []}
      keyOf={({ client_id }) => client_id}
      columns={[
        {
          title: 'Application',
          cell: ({ client_id, name, confidential }) => (
            <>
              <Text size="sm" fw={500}>
                {name} {confidential && <Badge>confidential</Badge>}
              </Text>
              <Text size="sm" c="dimmed">
                {client_id}
              </Text>
            </>
          ),
        },
        { title: 'Redirects to', cell: ({ redirect_uris }) => redirect_uris.join(', ') },
      ]}
    />
  );
