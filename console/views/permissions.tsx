import { Badge, Group, Text, TextInput } from '@mantine/core';
import type { Permission } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List, type Page } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { actions } from '../ui/rows.tsx';
import { useFields } from '../ui/use-fields.ts';
import type { Loaded } from '../ui/use-load.ts';

type Props = { project: string; list: Loaded<Page<Permission>> };

/** The permissions that roles can hold: those of the project, which are made here, and those of the service. */
export function Permissions({ project, list }: Props) {
  const { permissions } = clientOf(project);
  const remove = (permission: string) => () => list.after(permissions.delete({ permission }));
  return (
    <Section title="Permissions" actions={<NewPermission project={project} list={list} />}>
      <List
        label="Permissions"
        list={list}
        keyOf={({ permission }) => permission}
        empty="There are no permissions."
        columns={[
          {
            title: 'Permission',
            cell: ({ permission, description, built_in }) => (
              <>
                <Group gap={4}>
                  <code>{permission}</code>
                  {built_in && <Badge color="gray">of the service</Badge>}
                </Group>
                {description !== undefined && (
                  <Text size="sm" c="dimmed">
                    {description}
                  </Text>
                )}
              </>
            ),
          },
          {
            title: actions,
            cell: ({ permission, built_in }) =>
              !built_in && (
                <Group justify="flex-end">
                  <Dialog
                    label="Delete"
                    title={`Delete the permission ${permission}?`}
                    danger
                    size="xs"
                    onSubmit={remove(permission)}
                  >
                    <Explain>Only a permission that no role holds can be deleted.</Explain>
                  </Dialog>
                </Group>
              ),
          },
        ]}
      />
    </Section>
  );
}

function NewPermission({ project, list }: Props) {
  const { fields, input, reset } = useFields({ permission: '', description: '' });
  const { permission, description } = fields;
  const create = async () => {
    const about = description.trim();
    await clientOf(project).permissions.set({
      permission: permission.trim(),
      ...(about !== '' && { description: about }),
    });
    list.reload();
  };
  // It would replace the description of the one that exists.
  const isTaken = list.data?.rows.some((each) => each.permission === permission.trim());
  return (
    <Dialog
      label="New permission"
      title="New permission"
      submit="Create"
      // Of another text the console would make no request: it is no path of the contract.
      valid={/^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/.test(permission.trim()) && !isTaken}
      onOpen={reset}
      onSubmit={create}
    >
      <TextInput
        label="Permission"
        description="resource:action, in lower case"
        placeholder="invoice:read"
        {...input('permission')}
        error={isTaken ? 'There is such a permission.' : undefined}
        required
        data-autofocus
      />
      <TextInput label="Description" {...input('description')} />
    </Dialog>
  );
}
