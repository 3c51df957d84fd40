/**
 * The routes that API keys may call. A route that is not named here refuses them: account, sessions, sign-in methods
 * and keys are changed by people alone, and an API key cannot do what only the owner of a workspace may do.
 */

/**
 * In a workspace: the key of a user acts as the user there, and the key of a workspace in that one alone. Each of these
 * names it in its path.
 */
const inWorkspaces = [
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

/** By the keys of users alone. */
const ofUsers = ['users.getMe', 'workspaces.list', 'workspaces.listJoined'] as const;

export type WorkspaceKeyOperation = (typeof inWorkspaces)[number];
export type UserKeyOperation = WorkspaceKeyOperation | (typeof ofUsers)[number];

/** Whether a key of this kind may call a route. */
export const takesKey = ({ name }: { name: string }, kind: 'user' | 'workspace'): boolean =>
  [...inWorkspaces, ...(kind === 'user' ? ofUsers : [])].some((each) => each === name);
