import { Group, TextInput } from '@mantine/core';
import { ApiError } from '../../client/api-error.ts';
import type { Workspace } from '../../client/generated/api.ts';
import { clientOf, readUser } from '../ui/api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { isUid } from '../ui/person.tsx';
import { go, Link, useQuery } from '../ui/route.tsx';
import { Search } from '../ui/search.tsx';
import { useFields } from '../ui/use-fields.ts';
import { usePages } from '../ui/use-pages.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';
import { withExternalId } from '../ui/with-external-id.ts';

export function WorkspacesView({ project }: ViewProps) {
  const [query] = useQuery();
  const text = query.get('query') ?? '';
  const filter = text === '' ? {} : { query: text };
  const list = usePages(
    `workspaces ${project} ${text}`,
    ['workspace', 'workspaces'],
    async (cursor, signal) => {
      const { workspaces } = clientOf(project);
      if (isId(text)) return byId(workspaces.get({ workspace_id: text }, { signal }));
      const search = workspaces.list({ ...filter, cursor, limit: 25 }, { signal });
      if (text === '' || cursor !== undefined) return search;
      const byExternalId = workspaces.list({ external_id: text }, { signal });
      return withExternalId(search, byExternalId, (workspace) => workspace.workspace_id);
    },
  );
  return (
    <Page title="Workspaces" actions={<NewWorkspace project={project} />}>
      <Group gap="sm">
        <Search label="Find workspaces" placeholder="Beginning of a word of the name, or an id" />
      </Group>
      <List
        label="Workspaces"
        list={list}
        keyOf={({ workspace_id }) => workspace_id}
        empty={
          text === '' ? (
            'There is no workspace yet.'
          ) : isId(text) ? (
            <>
              No workspace has this id.{' '}
              <Link href={`/projects/${project}/workspaces/${text}`}>Has it been deleted?</Link>
            </>
          ) : (
            `No word of a name starts with “${text}”, and it is the id of none.`
          )
        }
        columns={[
          {
            title: 'Workspace',
            cell: ({ workspace_id, name }) => (
              <Link href={`/projects/${project}/workspaces/${workspace_id}`} fw={500}>
                <bdi>{name}</bdi>
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

const isId = (text: string): boolean => text.startsWith('wid-') && isUid(text.slice(4));

/** The list of the one workspace with an id. */
async function byId(answer: Promise<{ body: Workspace; headers: Headers }>) {
  try {
    const { body, headers } = await answer;
    return { body: { result: [body], total: 1 }, headers };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    return { body: { result: [], total: 0 }, headers: new Headers() };
  }
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
