import { Badge } from '@mantine/core';
import { clientOf } from '../ui/api.ts';
import { List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { Link } from '../ui/route.tsx';
import { usePages } from '../ui/use-pages.ts';

export function UserWorkspaces({ project, uid }: { project: string; uid: string }) {
  const list = usePages(`workspaces of ${uid}`, ['workspace', 'workspaces'], (cursor, signal) =>
    clientOf(project).workspaces.list({ user_id: uid, cursor, limit: 10 }, { signal }),
  );
  return (
    <Section title="Workspaces">
      <List
        label="Workspaces"
        list={list}
        keyOf={({ workspace_id }) => workspace_id}
        empty="This user is in no workspace."
        columns={[
          {
            title: 'Workspace',
            cell: ({ workspace_id, name }) => (
              <Link href={`/projects/${project}/workspaces/${workspace_id}`}>
                <bdi>{name}</bdi>
              </Link>
            ),
          },
          {
            title: 'Owner',
            cell: ({ owner_id, owner_email }) =>
              owner_id === uid ? <Badge>owner</Badge> : owner_email,
          },
          {
            title: 'Members',
            cell: ({ total_member_count }) => total_member_count.toLocaleString('en'),
          },
        ]}
      />
    </Section>
  );
}
