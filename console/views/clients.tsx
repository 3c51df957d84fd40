import { Badge, Table, Text } from '@mantine/core';
import type { ProjectSummary } from '../../shared/operator/summary.ts';

/** The OAuth clients of a project. They are made in a terminal, which shows their secrets. */
export const Clients = ({ project }: { project: ProjectSummary }) =>
  (project.oauth_clients ?? []).length === 0 ? (
    <Text size="sm" c="dimmed">
      No application signs users in by the hosted pages. Create one with npm run
      project:create-client.
    </Text>
  ) : (
    <Table aria-label="Applications">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Application</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Redirects to
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {project.oauth_clients?.map(({ client_id, name, confidential, redirect_uris }) => (
          <Table.Tr key={client_id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm" fw={500}>
                {name} {confidential && <Badge>confidential</Badge>}
              </Text>
              <Text size="sm" c="dimmed">
                {client_id}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
              {redirect_uris.join(', ')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
