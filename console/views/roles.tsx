import { Badge, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Permission, Role } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Page, Section } from '../ui/page.tsx';
import { actions } from '../ui/rows.tsx';
import { totalOf } from '../ui/total.ts';
import { useLoad } from '../ui/use-load.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { DescribedPermission } from './described-permission.tsx';
import { Permissions } from './permissions.tsx';
import { RoleDialog } from './role-dialog.tsx';

/** The roles of a project and the permissions that they can hold. */
export function RolesView({ project }: ViewProps) {
  const { roles, permissions } = clientOf(project);
  const roleList = useLoad(`roles ${project}`, async (signal) => {
    const { body } = await roles.list({}, { signal });
    return { rows: body.result, total: totalOf(body, ['role', 'roles']) };
  });
  const permissionList = useLoad(`permissions ${project}`, async (signal) => {
    const { body } = await permissions.list({}, { signal });
    return { rows: body.result, total: totalOf(body, ['permission', 'permissions']) };
  });
  const remove = (role: string) => () => roleList.after(roles.delete({ role }));
  const choices = {
    permissions: permissionList.data?.rows ?? [],
    roles: roleList.data?.rows.map(({ role }) => role).filter((role) => role !== 'owner') ?? [],
  };
  const dialog = { project, choices, onChange: roleList.reload };
  return (
    <Page title="Roles">
      <Section title="Roles" actions={<RoleDialog {...dialog} />}>
        <Explain>
          A member of a workspace has one role. What “member” holds, everybody holds; an admin holds
          what the service lets admins do, and what you add here.
        </Explain>
        <List
          label="Roles"
          list={roleList}
          keyOf={({ role }) => role}
          empty="There are no roles."
          columns={[
            {
              title: 'Role',
              cell: (role) => <Named role={role} permissions={choices.permissions} />,
            },
            {
              title: 'Total',
              cell: ({ effective_permissions: { length } }) => length.toLocaleString('en'),
            },
            {
              title: actions,
              cell: (each) => (
                <Group gap={4} justify="flex-end">
                  {each.role !== 'owner' && <RoleDialog {...dialog} role={each.role} />}
                  {!each.built_in && (
                    <Dialog
                      label="Delete"
                      title={`Delete the role ${each.role}?`}
                      danger
                      size="xs"
                      onSubmit={remove(each.role)}
                    >
                      <Explain>
                        Only a role that no member, open invitation, join link or other role has can
                        be deleted.
                      </Explain>
                    </Dialog>
                  )}
                </Group>
              ),
            },
          ]}
        />
      </Section>
      <Permissions project={project} list={permissionList} />
    </Page>
  );
}

/** A role and what it holds: a column for each would be too narrow on a phone. */
const Named = ({
  role: { role, name, description, built_in, ...grants },
  permissions,
}: {
  role: Role;
  permissions: readonly Permission[];
}) => (
  <>
    <Group gap={4}>
      <Text size="sm" fw={500}>
        {name ?? role}
      </Text>
      {built_in && <Badge color="gray">of every project</Badge>}
    </Group>
    {name !== undefined && <code>{role}</code>}
    {description !== undefined && (
      <Text size="sm" c="dimmed">
        {description}
      </Text>
    )}
    {grants.permissions.length > 0 && (
      <Text size="sm" mt={4}>
        {grants.permissions.map((each, index) => (
          <Fragment key={each}>
            {index > 0 && ', '}
            <DescribedPermission id={each} permissions={permissions} />
          </Fragment>
        ))}
      </Text>
    )}
    {grants.inherits.length > 0 && (
      <Text size="sm">and what {grants.inherits.join(', ')} holds</Text>
    )}
  </>
);
