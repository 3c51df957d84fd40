import type { WorkspaceRole } from '../../../client/generated/api.ts';
import { wordsFor } from '../../failures.ts';
import { Alert } from '../../ui/form.tsx';
import { useAction } from '../../ui/use-action.ts';
import { roleName, rolesToGive } from './roles.ts';

type RoleChoiceProps = {
  label: string;
  role: string;
  roles: readonly WorkspaceRole[];
  onRole: (role: string) => Promise<unknown>;
};

/** A choice of the role, which is changed at once. */
export function RoleChoice({ label, role, roles, onRole }: RoleChoiceProps) {
  const { run, busy, failure } = useAction();
  // The present role stays in the choice, though it be one that the user cannot give.
  const names = rolesToGive(roles, 'assignable').map(([name]) => String(name));
  return (
    <>
      <select
        aria-label={label}
        aria-busy={busy}
        value={role}
        onChange={async ({ currentTarget: select }) => {
          // What is not changed must not look as if it were.
          if (!(await run(() => onRole(select.value)))) select.value = role;
        }}
      >
        {[...new Set([...names, role])].map((each) => (
          <option key={each} value={each}>
            {roleName(each, roles)}
          </option>
        ))}
      </select>
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
    </>
  );
}
