/**
 * The routes that API keys may call. A route that is not named here refuses them: account, sessions, sign-in methods and
 * keys are changed by people alone, and what only the owner of a workspace may do is no program's.
 */

/** A key of a user acts as the user, within the workspaces of the user. */
const ofUserKeys = [
  'users.getMe',
  'workspaces.list',
  'workspaces.listJoined',
  'workspaces.get',
  'workspaces.update',
  'workspaces.getMetadata',
  'domains.list',
  'members.add',
  'members.list',
  'members.get',
  'members.changeRole',
  'members.suspend',
  'members.remove',
  'invitations.create',
  'invitations.list',
  'invitations.resend',
  'invitations.end',
  'invitations.endByEmail',
  'joinRequests.list',
  'joinRequests.approve',
  'joinRequests.delete',
  'joinLinks.list',
  'joinLinks.revoke',
  'events.listOfWorkspace',
] as const;

/** A key of a workspace acts in that workspace alone. Each of these names it in its path. */
const ofWorkspaceKeys = [
  'workspaces.get',
  'workspaces.update',
  'workspaces.getMetadata',
  'domains.list',
  'members.add',
  'members.list',
  'members.get',
  'members.changeRole',
  'members.suspend',
  'members.remove',
  'invitations.create',
  'invitations.list',
  'invitations.resend',
  'invitations.end',
  'invitations.endByEmail',
  'joinRequests.list',
  'joinRequests.approve',
  'joinRequests.delete',
  'joinLinks.list',
  'joinLinks.revoke',
  'events.listOfWorkspace',
] as const;

export type UserKeyOperation = (typeof ofUserKeys)[number];
export type WorkspaceKeyOperation = (typeof ofWorkspaceKeys)[number];

/** Whether a key of this kind may call a route. */
export const takesKey = ({ name }: { name: string }, kind: 'user' | 'workspace'): boolean =>
  ({ user: ofUserKeys, workspace: ofWorkspaceKeys })[kind].some((each) => each === name);
