import { useRef, useState } from 'preact/hooks';
import type { WorkspaceRole } from '../../../client/generated/api.ts';
import { t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { useLoaded } from '../../ui/list.tsx';
import { wordsOf } from '../../ui/permission-ticks.tsx';
import { RoleForm } from './role-form.tsx';
import { changeRole, deleteRole, type RoleInput, readRole } from './role-store.ts';

type RoleRowProps = {
  role: WorkspaceRole;
  /** Whether the viewer may do all that the role may, without which nobody changes it. */
  isHeld: boolean;
  /** Whether roles can be changed here. */
  isOn: boolean;
  permissions: readonly string[];
  onChange: () => Promise<unknown>;
};

/** One role: what it may do beyond every member, and what can be done to it. */
export function RoleRow({ role, isHeld, isOn, permissions, onChange }: RoleRowProps) {
  const [isOpen, setOpen] = useState(false);
  const name = role.name ?? role.role;
  const remove = async () => {
    await deleteRole(role.role);
    await onChange();
  };
  return (
    <>
      <div>
        <strong dir="auto">{name}</strong>
        {role.description && <small dir="auto">{role.description}</small>}
        <small>{role.permissions.length > 0 ? wordsOf(role.permissions) : t('everyMembers')}</small>
        <small>
          <code dir="ltr">{role.role}</code>
        </small>
        {!isHeld && <small>{t('roleAbove')}</small>}
      </div>
      {isHeld && (
        <div class="buttons">
          <Action
            look="danger"
            about={name}
            confirm={t('deleteRoleSure', { name })}
            onAction={remove}
          >
            {t('delete')}
          </Action>
        </div>
      )}
      {isHeld && isOn && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>
            {t('changeRole')}
            <span class="unseen"> {name}</span>
          </summary>
          {isOpen && <Change role={role.role} permissions={permissions} onChange={onChange} />}
        </details>
      )}
    </>
  );
}

type ChangeProps = Pick<RoleRowProps, 'permissions' | 'onChange'> & { role: string };

/** The form of a role, with the role as it is when the form is opened. */
function Change({ role, permissions, onChange }: ChangeProps) {
  /** Of the role as it was read or saved last: what somebody else has saved since must not be lost. */
  const etag = useRef<string>(undefined);
  /** What was asked for since then. */
  const asked = useRef<RoleInput[]>([]);
  const { data: currentRole, fallback } = useLoaded(role, async () => {
    const answer = await readRole(role);
    etag.current = answer.etag;
    return answer.role;
  });
  if (!currentRole) return fallback;
  return (
    <RoleForm
      submit={t('save')}
      done={t('saved')}
      role={currentRole}
      permissions={permissions}
      onSubmit={async (input) => {
        const before = [...asked.current];
        asked.current.push(input);
        etag.current = await changeRole(role, input, etag.current, before);
        asked.current = [];
        await onChange();
      }}
    />
  );
}
