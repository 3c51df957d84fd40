import { Badge, Group, Text } from '@mantine/core';
import type { ApiKey } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Link } from '../ui/route.tsx';
import { actions } from '../ui/rows.tsx';
import { totalOf } from '../ui/total.ts';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';

/** The API keys of a workspace: what they may do, when they were used, and their revocation. */
export function ApiKeys({ project, workspace_id }: { project: string; workspace_id: string }) {
  const { workspaceKeys } = clientOf(project);
  const list = useLoad(`keys ${workspace_id}`, async (signal) => {
    const { body } = await workspaceKeys.list({ workspace_id }, { signal });
    return { rows: body.result, total: totalOf(body, ['key', 'keys']) };
  });
  const revoke = (key_id: string) => () =>
    list.after(workspaceKeys.revoke({ workspace_id, key_id }));
  return (
    <List
      label="API keys"
      list={list}
      keyOf={({ key_id }) => key_id}
      empty="This workspace has no API key."
      columns={[
        { title: 'Key', cell: (key) => <NamedKey apiKey={key} /> },
        {
          title: 'Made by',
          cell: ({ created_by }) =>
            created_by === undefined ? (
              'the backend'
            ) : (
              <Link href={`/projects/${project}/users/${created_by}`}>a user</Link>
            ),
        },
        {
          title: 'Last used',
          cell: LastUsed,
        },
        { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
        {
          title: actions,
          cell: ({ key_id, name }) => <RevokeKey name={name} onSubmit={revoke(key_id)} />,
        },
      ]}
    />
  );
}

/** The day on which a key was last used. */
export const LastUsed = ({ last_used_on }: ApiKey) => (
  <span style={{ whiteSpace: 'nowrap' }}>{last_used_on ?? 'never'}</span>
);

type RevokeProps = { name: string; onSubmit: () => Promise<void> };

/** A button that asks before it revokes a key. */
export const RevokeKey = ({ name, onSubmit }: RevokeProps) => (
  <Dialog
    label="Revoke"
    title={
      <>
        Revoke <bdi>{name}</bdi>?
      </>
    }
    danger
    size="xs"
    onSubmit={onSubmit}
  >
    <Explain>Programs that use it are refused with their next request.</Explain>
  </Dialog>
);

/** All that there is of a key, in lines: a column for each would be too narrow on a phone. */
export const NamedKey = ({ apiKey }: { apiKey: ApiKey }) => {
  const { key_id, name, role, permissions, expires_at, previous_expires_at } = apiKey;
  return (
    <>
      <Group gap={4}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {!permissions && role !== undefined && <Badge>{role}</Badge>}
      </Group>
      <code>{key_id}</code>
      {permissions && <Text size="sm">{permissions.join(', ')}</Text>}
      {expires_at !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          expires <When at={expires_at} />
        </Text>
      )}
      {previous_expires_at !== undefined && (
        <Text size="sm" c="dimmed" component="div">
          the previous text works until <When at={previous_expires_at} />
        </Text>
      )}
    </>
  );
};
