import { limits } from '../../model/limits.ts';
import type { NotesOf } from './operation-note.ts';

export const roleNotes: NotesOf<'permissions' | 'roles' | 'workspaceRoles'> = {
  'permissions.list': {
    text: 'One page has all of them. Of the permissions of the service those are listed that a role of the project can hold.',
  },
  'permissions.get': { text: 'A permission of the service shows no description.' },
  'permissions.set': {
    text: `A project has at most ${limits.permissionsPerProject} permissions of its own; their resource is none of the service's. The owner of a workspace has all of them.`,
    events: ['permission.created', 'permission.updated'],
  },
  'permissions.delete': {
    text: "Remove it from the roles of the project first. Roles of a workspace's own do not keep it: they hold it no more, and hold it again if you define it again.",
    events: ['permission.deleted'],
  },
  'permissions.check': {
    text: 'For backends, and for pages that show what their user may do. The answer is that of this moment, read consistently. For an unknown workspace, and for who is no active member of it, nothing is allowed, nor for a user who was disabled a few seconds ago or more: one such check refuses no other.',
  },
  'permissions.listOfCaller': {
    text: 'For pages that show what their user may do; the service checks each request itself.',
    permissions: ['workspace:read'],
  },
  'roles.listOfWorkspace': {
    text: 'For a choice of the role. One page has all of them.',
    permissions: ['role:list'],
  },
  'roles.list': { text: 'One page has all of them.' },
  'roles.get': {
    text: 'Shows what the role holds itself, and what follows from the roles that it inherits from.',
  },
  'roles.set': {
    text: `Replaces the whole role; members with it have what it holds from the next request on. A role can hold every permission of the project, and those of the service that admins have, except for the ownership. To \`admin\` and \`member\` the project adds permissions of its own; what \`member\` holds, everybody holds. A project has at most ${limits.rolesPerProject} roles of its own.`,
    events: ['role.created', 'role.updated'],
  },
  'roles.delete': {
    text: 'Give the members of the role another one first, and revoke its invitations and join links: `role_in_use` has their number in `member_count`, or the roles that inherit from it in `inherited_by`. A member who gets the role at the same moment, or is in a deleted workspace that is restored later, keeps its name and may do what every member may; if you define the role again, they have it.',
    events: ['role.deleted'],
  },
  'workspaceRoles.get': {
    text: 'What it holds itself, and with what every member may do.',
    permissions: ['role:list'],
  },
  'workspaceRoles.set': {
    text: `Works where the project allows it (\`workspace_roles\`), and replaces the whole role; members with it have what it holds from the next request on. Nobody defines or replaces a role that may do more than they: 403, with \`missing\`. A workspace has at most ${limits.ownRoles.perWorkspace} roles of its own, which inherit from none, and ${limits.ownRoles.bytes / 1_024} KiB of them as JSON. A new role whose name somebody still has, since a former role of it was deleted, is \`role_in_use\`, with their number in \`member_count\`: give them another role first.`,
    permissions: ['role:manage'],
    events: ['workspace.role.created', 'workspace.role.updated'],
  },
  'workspaceRoles.delete': {
    text: 'Give the members of the role another one first, and revoke its invitations and join links: `role_in_use` has their number in `member_count`. Also where the project no longer allows such roles. Nobody deletes a role that may do more than they.',
    permissions: ['role:manage'],
    events: ['workspace.role.deleted'],
  },
};
