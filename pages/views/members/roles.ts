import type { WorkspaceRole } from '../../../client/generated/api.ts';
import { t } from '../../texts.ts';
import type { Options } from '../../ui/options.tsx';

type Roles = readonly WorkspaceRole[];

/** What a role is called: as the project has named it, else one of every project in the reader's language. */
export function roleName(role: string, roles: Roles): string {
  const name = roles.find((each) => each.role === role)?.name;
  return name ?? (role === 'owner' || role === 'admin' || role === 'member' ? t(role) : role);
}

/** The roles that the user may give, by a link if that is how; member, which holds the least, first. */
export const rolesToGive = (roles: Roles, by: 'assignable' | 'assignable_by_link'): Options =>
  roles
    .filter((each) => each[by])
    .sort((a, b) => Number(b.role === 'member') - Number(a.role === 'member'))
    .map(({ role }) => [role, roleName(role, roles)]);
