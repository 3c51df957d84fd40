import { wordsFor } from '../../failures.ts';
import { useAction } from '../../ui/use-action.ts';
import { Alert } from '../../ui/form.tsx';
import { roleName } from './role-name.ts';

const roles: readonly string[] = ['member', 'admin'];

type RoleChoiceProps = {
  label: string;
  role: string;
  onRole: (role: string) => Promise<unknown>;
};

/** A choice of the role, which is changed at once. */
export function RoleChoice({ label, role, onRole }: RoleChoiceProps) {
  const { run, busy, failure } = useAction();
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
        {[...new Set([...roles, role])].map((each) => (
          <option key={each} value={each}>
            {roleName(each)}
          </option>
        ))}
      </select>
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
    </>
  );
}
