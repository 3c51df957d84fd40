import type { ListedMember } from '../../../client/generated/api.ts';
import { wordsFor } from '../../failures.ts';
import { t } from '../../texts.ts';
import { useAction } from '../../ui/use-action.ts';
import { Alert } from '../../ui/form.tsx';

type Role = ListedMember['role'];
const roles: readonly Role[] = ['member', 'admin'];

type RoleChoiceProps = { label: string; role: Role; onRole: (role: Role) => Promise<unknown> };

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
          const next = select.value as Role;
          // What is not changed must not look as if it were.
          if (!(await run(() => onRole(next)))) select.value = role;
        }}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </select>
      {failure !== undefined && <Alert>{wordsFor(failure)}</Alert>}
    </>
  );
}
