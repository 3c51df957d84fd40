import { Badge, Group, Text } from '@mantine/core';
import { operate } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { actions } from '../ui/rows.tsx';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';

/** An expired secret is listed until the next one is created, and takes no room. */
const isPast = (expires_at: string | undefined): boolean =>
  expires_at !== undefined && Date.parse(expires_at) <= Date.now();

const Limit = ({ label, values }: { label: string; values: readonly string[] }) => (
  <Text size="sm" c="dimmed">
    {label} {values.join(', ')}
  </Text>
);

/** The secrets of a project: when they were last used, and their revocation. New ones are made in a terminal. */
export function Secrets({ project }: { project: string }) {
  const list = useLoad(`secrets ${project}`, async (signal) => {
    const { secrets } = await operate({ action: 'list-secrets', project_id: project }, signal);
    const live = secrets.filter(({ expires_at }) => !isPast(expires_at));
    return { rows: secrets, total: `${live.length} of 10` };
  });
  const revoke = (secret_id: string) => () =>
    list.after(operate({ action: 'revoke-secret', project_id: project, secret_id }));
  return (
    <Section title="Secrets">
      <Text size="sm" c="dimmed">
        Create one with npm run project:create-secret, which shows it in the terminal alone.
      </Text>
      <List
        label="Secrets"
        list={list}
        keyOf={({ secret_id }) => secret_id}
        empty="The backend has no secret yet."
        columns={[
          {
            title: 'Secret',
            cell: ({ secret_id, name, scopes, source_cidrs, expires_at }) => (
              <Group gap={4}>
                <code>{secret_id}</code>
                {name !== undefined && <Badge>{name}</Badge>}
                {scopes && <Limit label="may do" values={scopes} />}
                {source_cidrs && <Limit label="works from" values={source_cidrs} />}
                {expires_at !== undefined && (
                  <Text size="sm" c="dimmed">
                    {isPast(expires_at) ? 'expired' : 'expires'} <When at={expires_at} />
                  </Text>
                )}
              </Group>
            ),
          },
          { title: 'Last used', cell: ({ last_used_on }) => last_used_on ?? 'never' },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
          {
            title: actions,
            cell: ({ secret_id }) => (
              <Dialog
                label="Revoke"
                title="Revoke this secret?"
                danger
                size="xs"
                typed={secret_id}
                onSubmit={revoke(secret_id)}
              >
                <Explain>
                  Programs that use it are refused within a minute. The console makes itself another
                  one if it is its own.
                </Explain>
              </Dialog>
            ),
          },
        ]}
      />
    </Section>
  );
}
