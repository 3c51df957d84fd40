import { limits } from '../../model/limits.ts';
import { asBefore, type NotesOf } from './operation-note.ts';

export const roleNotes: NotesOf<'permissions' | 'roles' | 'workspaceRoles'> = {
  'permissions.list': {
    text: 'One page has all permissions of the project, and those permissions of the service that a role of the project can hold.',
  },
  'permissions.get': { text: 'A permission of the service has no description.' },
  'permissions.set': {
    text: `A project has at most ${limits.permissionsPerProject} permissions of its own. Their resource must not be a resource of the service. The owner of a workspace has all of them.`,
    events: ['permission.created', 'permission.updated'],
  },
  'permissions.delete': {
    text: "Remove the permission from the roles of the project first. Roles of a workspace's own do not prevent the deletion: they lose the permission, and get it back if you define it again.",
    events: ['permission.deleted'],
    answers: asBefore,
  },
  'permissions.check': {
    text: 'For backends, and for pages that show what their user may do. The response is read consistently and is correct at this moment. Nothing is allowed if the workspace is unknown, if the user is not an active member of it, or if the user was disabled at least a few seconds ago; the other checks of the request are still answered.',
  },
  'permissions.listOfCaller': {
    text: 'For pages that show what their user may do; the service checks each request itself.',
    permissions: ['workspace:read'],
  },
  'roles.listOfWorkspace': {
    text: 'For a page on which the caller chooses a role. One page has all roles.',
    permissions: ['role:list'],
  },
  'roles.list': { text: 'One page has all roles.' },
  'roles.get': {
    text: 'Shows the permissions that the role holds itself, and those that it inherits from other roles.',
  },
  'roles.set': {
    text: `Replaces the whole role. Members with the role have the new permissions from their next request on. A role can hold every permission of the project, and the permissions of the service that admins have, except those for the ownership. A project can add only its own permissions to \`admin\` and \`member\`; every member has the permissions of \`member\`. A project has at most ${limits.rolesPerProject} roles of its own.`,
    events: ['role.created', 'role.updated'],
  },
  'roles.delete': {
    text: 'First give the members with this role another role, and revoke its invitations and join links. Otherwise the response is `role_in_use`, with their number in `member_count`, or with the roles that inherit from it in `inherited_by`. A member who gets the role at the same moment, or whose deleted workspace is restored later, keeps the name of the role but has only the permissions of `member`. If you define the role again, that member has its permissions again.',
    events: ['role.deleted'],
    answers: asBefore,
  },
  'workspaceRoles.get': {
    text: 'Shows the permissions that the role holds itself, and all its permissions together with those of every member.',
    permissions: ['role:list'],
  },
  'workspaceRoles.set': {
    text: `Replaces the whole role, if the project allows workspaces to have their own roles (\`workspace_roles\`). Members with the role have the new permissions from their next request on. A caller cannot define or replace a role that has permissions which the caller lacks: the response is 403, with \`missing\`. A workspace has at most ${limits.ownRoles.perWorkspace} roles of its own, with at most ${limits.ownRoles.bytes / 1_024} KiB of JSON together; they do not inherit from other roles. If members still have the name of a deleted role, a new role of that name returns \`role_in_use\`, with their number in \`member_count\`: give these members another role first.`,
    permissions: ['role:manage'],
    events: ['workspace.role.created', 'workspace.role.updated'],
  },
  'workspaceRoles.delete': {
    text: 'First give the members with this role another role, and revoke its invitations and join links. Otherwise the response is `role_in_use`, with their number in `member_count`. The deletion works even if the project no longer allows such roles. A caller cannot delete a role that has permissions which the caller lacks.',
    permissions: ['role:manage'],
    events: ['workspace.role.deleted'],
    answers: asBefore,
  },
};
