import type { WorkspaceRole } from '../../../client/generated/api.ts';
import { ChoiceAtOnce } from './choice-at-once.tsx';
import { roleName, rolesToGive } from './roles.ts';

type RoleChoiceProps = {
  label: string;
  role: string;
  roles: readonly WorkspaceRole[];
  onRole: (role: string) => Promise<unknown>;
};

/** A choice of the role of a member. */
export function RoleChoice({ label, role, roles, onRole }: RoleChoiceProps) {
  // The present role stays in the choice, though it be one that the user cannot give.
  const names = rolesToGive(roles, 'assignable').map(([name]) => String(name));
  const options = [...new Set([...names, role])].map(
    (each) => [each, roleName(each, roles)] as const,
  );
  return <ChoiceAtOnce label={label} value={role} options={options} onChoose={onRole} />;
}
