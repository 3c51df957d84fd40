import type { Role } from '../../../client/generated/api.ts';
import { t } from '../../texts.ts';
import { Field, Form } from '../../ui/form.tsx';
import { PermissionTicks, tickedIn } from '../../ui/permission-ticks.tsx';
import type { RoleInput } from './role-store.ts';

type RoleFormProps = {
  submit: string;
  done?: string;
  /** The role as it is; absent for a new one. */
  role?: Role;
  /** The permissions that can be given. */
  permissions: readonly string[];
  onSubmit: (input: RoleInput) => Promise<unknown>;
};

/** What somebody enters of a role: its names, and a box to tick for each permission that they hold. */
export function RoleForm({ role, permissions, onSubmit, ...form }: RoleFormProps) {
  const send = (values: Record<string, string>) => {
    const { name = '', description = '' } = values;
    return onSubmit({ name, description, permissions: tickedIn(values) });
  };
  return (
    <Form {...form} onSubmit={send}>
      <Field
        label={t('name')}
        name="name"
        autocomplete="off"
        maxLength={128}
        defaultValue={role?.name ?? role?.role ?? ''}
      />
      <Field
        label={t('description')}
        name="description"
        autocomplete="off"
        required={false}
        maxLength={256}
        defaultValue={role?.description ?? ''}
      />
      {permissions.length === 0 ? (
        <p>{t('roleNothing')}</p>
      ) : (
        <PermissionTicks
          legend={t('rolePermissions')}
          permissions={permissions}
          ticked={role?.permissions ?? []}
        />
      )}
    </Form>
  );
}
