import { Badge } from '@mantine/core';
import { nextCursor } from '../../client/pages.ts';
import { clientOf } from '../ui/api.ts';
import { List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { Link, useQuery } from '../ui/route.tsx';
import { totalOf } from '../ui/total.ts';
import { useLoad } from '../ui/use-load.ts';

export function UserWorkspaces({ project, uid }: { project: string; uid: string }) {
  const [query] = useQuery();
  const cursor = query.get('cursor') ?? undefined;
  const list = useLoad(`workspaces of ${uid} ${cursor}`, async (signal) => {
    const { workspaces } = clientOf(project);
    const { body, headers } = await workspaces.list(
      { user_id: uid, cursor, limit: 10 },
      { signal },
    );
    return {
      rows: body.result,
      next: nextCursor(headers),
      total: totalOf(body, ['workspace', 'workspaces']),
    };
  });
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
              <Link href={`/projects/${project}/workspaces/${workspace_id}`}>{name}</Link>
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
