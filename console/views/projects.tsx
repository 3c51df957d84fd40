import { Badge, Group, TextInput } from '@mantine/core';
import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { operate } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { go, Link } from '../ui/route.tsx';
import { useFields } from '../ui/use-fields.ts';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';

export function ProjectsView() {
  const list = useLoad('projects', async (signal) => {
    const { projects } = await operate({ action: 'list' }, signal);
    const total = projects.length === 1 ? '1 project' : `${projects.length} projects`;
    return { rows: projects, total };
  });
  return (
    <Page title="Projects" actions={<NewProject />}>
      <List
        label="Projects"
        list={list}
        keyOf={({ project_id }) => project_id}
        empty="There is no project yet. Create the first one."
        columns={[
          {
            title: 'Name',
            cell: ({ name, project_id }) => (
              <Link href={`/projects/${project_id}`} fw={500}>
                {name}
              </Link>
            ),
          },
          { title: 'Id', cell: ({ project_id }) => project_id },
          { title: 'Sign-in', cell: (project) => <Methods project={project} /> },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
        ]}
      />
    </Page>
  );
}

function Methods({ project }: { project: ProjectSummary }) {
  const names = [
    project.password_sign_in && 'password',
    project.code_sign_in && 'code',
    project.link_sign_in && 'link',
    project.passkeys && 'passkey',
    ...Object.keys({ ...project.identity_providers, ...project.sign_in_providers }),
  ].filter((name) => typeof name === 'string');
  if (names.length === 0) return 'by the backend';
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Badge key={name}>{name}</Badge>
      ))}
    </Group>
  );
}

function NewProject() {
  const { fields, input, reset } = useFields({ name: '', id: '' });
  const { name, id } = fields;
  const create = async () => {
    const idField = id.trim() === '' ? {} : { project_id: id.trim() };
    const { project_id, warning } = await operate({ action: 'create', name, ...idField });
    if (warning !== undefined) return <Explain>The project is created. {warning}</Explain>;
    go(`/projects/${project_id}/settings`);
    return undefined;
  };
  return (
    <Dialog
      label="New project"
      title="New project"
      submit="Create"
      valid={name.trim() !== ''}
      onOpen={reset}
      onSubmit={create}
    >
      <TextInput label="Name" {...input('name')} required data-autofocus />
      <TextInput
        label="Id"
        description="Lower-case letters, digits and hyphens. Without one, it is made of the name."
        {...input('id')}
        autoComplete="off"
      />
      <Explain>
        The project starts without a secret. Create that of its backend in a terminal, with npm run
        project:create-secret.
      </Explain>
    </Dialog>
  );
}
