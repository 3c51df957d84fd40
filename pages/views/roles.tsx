import type { User } from '../../client/generated/api.ts';
import { loadPermissionTexts } from '../texts/permissions.ts';
import { loadRoleTexts } from '../texts/roles.ts';
import { ManagedWorkspace } from '../ui/managed-workspace.tsx';
import type { View } from '../view.ts';
import { OwnRoles } from './own-roles/own-roles.tsx';

export const view: View = {
  title: 'roles',
  for: 'user',
  wide: true,
  loadTexts: () => Promise.all([loadRoleTexts(), loadPermissionTexts()]),
  Show: Roles,
};

/** The roles of a workspace's own, for those who manage them. */
function Roles({ user }: { user: User }) {
  return (
    <ManagedWorkspace user={user} permission="role:manage">
      {({ permissions }) => <OwnRoles rights={permissions} />}
    </ManagedWorkspace>
  );
}
