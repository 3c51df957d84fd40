import { Group, TextInput } from '@mantine/core';
import { clientOf, readUser } from '../ui/api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { go, Link, useQuery } from '../ui/route.tsx';
import { Search } from '../ui/search.tsx';
import { useFields } from '../ui/use-fields.ts';
import { usePages } from '../ui/use-pages.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';

export function WorkspacesView({ project }: ViewProps) {
  const [query] = useQuery();
  const text = query.get('query') ?? '';
  const filter = text === '' ? {} : { query: text };
  const list = usePages(
    `workspaces ${project} ${text}`,
    ['workspace', 'workspaces'],
    (cursor, signal) =>
      clientOf(project).workspaces.list({ ...filter, cursor, limit: 25 }, { signal }),
  );
  return (
    <Page title="Workspaces" actions={<NewWorkspace project={project} />}>
      <Group gap="sm">
        <Search label="Find workspaces" placeholder="Beginning of a word of the name" />
      </Group>
      <List
        label="Workspaces"
        list={list}
        keyOf={({ workspace_id }) => workspace_id}
        empty={
          text === '' ? 'There is no workspace yet.' : `No word of a name starts with “${text}”.`
        }
        columns={[
          {
            title: 'Workspace',
            cell: ({ workspace_id, name }) => (
              <Link href={`/projects/${project}/workspaces/${workspace_id}`} fw={500}>
                {name}
              </Link>
            ),
          },
          { title: 'Owner', cell: ({ owner_email }) => owner_email || '–' },
          {
            title: 'Members',
            cell: ({ total_member_count }) => total_member_count.toLocaleString('en'),
          },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
        ]}
      />
    </Page>
  );
}

function NewWorkspace({ project }: { project: string }) {
  const { fields, input, reset } = useFields({ name: '', owner: '' });
  const { name, owner } = fields;
  const create = async () => {
    const { uid: owner_id } = await readUser(project, owner.trim());
    const { body } = await clientOf(project).workspaces.create({ name: name.trim(), owner_id });
    go(`/projects/${project}/workspaces/${body.workspace_id}`);
  };
  return (
    <Dialog
      label="New workspace"
      title="New workspace"
      submit="Create"
      valid={name.trim() !== '' && owner.trim() !== ''}
      onOpen={reset}
      onSubmit={create}
    >
      <TextInput label="Name" {...input('name')} required data-autofocus />
      <TextInput label="E-mail of the owner" type="email" {...input('owner')} required />
    </Dialog>
  );
}
