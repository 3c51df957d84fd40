import { useRef, useState } from 'preact/hooks';
import type { WorkspaceRole } from '../../../client/generated/api.ts';
import { project } from '../../project.ts';
import { t } from '../../texts.ts';
import { List, useList } from '../../ui/list.tsx';
import { workspace_id } from '../../ui/managed-workspace.tsx';
import { RoleForm } from './role-form.tsx';
import { RoleRow } from './role-row.tsx';
import { createRole, listRoles, type RoleInput } from './role-store.ts';

/** What no role of a workspace can hold: the ownership, and what the owner alone may do. */
const isForRoles = (permission: string): boolean =>
  !/^(?:ownership:|workspace:(?:delete|restore)$)/.test(permission);

/** The roles of a workspace's own: those that there are, and another one. `rights`: what the viewer may do. */
export function OwnRoles({ rights }: { rights: readonly string[] }) {
  /** What every member may do, which no role has to hold. */
  const [common, setCommon] = useState<readonly string[]>([]);
  const list = useList<WorkspaceRole>(workspace_id, async () => {
    const roles = await listRoles();
    setCommon(roles.find(({ role }) => role === 'member')?.effective_permissions ?? []);
    return { items: roles.filter(({ own }) => own) };
  });
  const isOn = project.workspace_roles;
  const permissions = rights.filter((each) => isForRoles(each) && !common.includes(each));
  return (
    <>
      <p>{t(isOn ? 'rolesExplained' : 'rolesOff')}</p>
      <List list={list} empty={t('noRoles')} keyOf={({ role }) => role}>
        {(role) => (
          <RoleRow
            role={role}
            isOn={isOn}
            isHeld={role.effective_permissions.every((each) => rights.includes(each))}
            // What every member may do is shown where a role holds it all the same: it would be lost.
            permissions={[
              ...permissions,
              ...role.permissions.filter((each) => common.includes(each)),
            ]}
            onChange={list.refresh}
          />
        )}
      </List>
      {isOn && common.length > 0 && <NewRole permissions={permissions} onMade={list.refresh} />}
    </>
  );
}

type NewRoleProps = { permissions: readonly string[]; onMade: () => Promise<unknown> };

function NewRole({ permissions, onMade }: NewRoleProps) {
  /** A new form after each role. */
  const [madeNames, setMadeNames] = useState<readonly string[]>([]);
  const opener = useRef<HTMLElement>(null);
  const create = async (input: RoleInput) => {
    await createRole(input);
    setMadeNames([...madeNames, input.name]);
    await onMade();
    // The button that was pressed is gone.
    opener.current?.focus();
  };
  const lastName = madeNames.at(-1);
  return (
    <>
      <p role="status">{lastName !== undefined && t('roleMade', { name: lastName })}</p>
      <details key={madeNames.length}>
        <summary ref={opener}>{t('newRole')}</summary>
        <RoleForm submit={t('create')} permissions={permissions} onSubmit={create} />
      </details>
    </>
  );
}
