import type { Answer, Entry } from '../history.ts';

/** Reads responses, which are untyped. */

export const text = (of: unknown, field: string): string => {
  const value = (of as Answer | undefined)?.[field];
  return typeof value === 'string' ? value : '';
};

export const list = (of: unknown, field: string): Answer[] => {
  const value = (of as Answer | undefined)?.[field];
  return Array.isArray(value) ? (value as Answer[]) : [];
};

/** The workspace of a request. */
export const placeOf = ({ params, body }: Entry): string =>
  params?.['workspace_id'] ?? text(body, 'workspace_id');

/** The users in a response that read them consistently. */
export function usersIn({ name, answer, status = 500 }: Entry): Answer[] {
  if (!answer || status >= 300) return [];
  switch (name) {
    case 'users.get':
    case 'users.getMe':
    case 'users.update':
    case 'members.changeRole':
      return [answer];
    case 'users.create':
      // For an existing user the index may show an older state.
      return status === 201 ? [answer] : [];
    // The list may be stale, but the users in it are read consistently.
    case 'users.list':
      return list(answer, 'result');
    case 'users.search':
      return list(answer, 'result').map((user) => ({
        ...user,
        display_name: user['displayed_name'],
      }));
    case 'sessions.create':
    case 'sessions.refresh':
      return [answer['user'] as Answer];
    default:
      return [];
  }
}

/** The workspaces in a response, all read consistently. */
export function placesIn({ name, answer, status = 500 }: Entry): Answer[] {
  if (!answer || status >= 300) return [];
  switch (name) {
    case 'workspaces.create':
    case 'workspaces.get':
    case 'workspaces.update':
    case 'workspaces.delete':
    case 'workspaces.restore':
    case 'workspaces.setAllowedDomains':
    case 'ownership.offer':
    case 'ownership.accept':
    case 'ownership.end':
      return [answer];
    case 'workspaces.list':
    case 'workspaces.listJoined':
      return list(answer, 'result');
    case 'workspaces.listInvited':
      return list(answer, 'invited_workspaces');
    default:
      return [];
  }
}

/** The membership or invitation in a response that changed or read it. */
export function membersIn({ name, answer, status = 500 }: Entry): Answer[] {
  if (!answer || status >= 300) return [];
  switch (name) {
    case 'members.get':
    case 'members.add':
    case 'members.join':
    case 'members.suspend':
    case 'invitations.accept':
    case 'joinRequests.approve':
      return [answer];
    default:
      return [];
  }
}

/** The invitations in a response, with user and workspace. */
export function invitationsIn({ name, answer, status = 500 }: Entry): Answer[] {
  if (!answer || status >= 300) return [];
  if (name === 'invitations.list') return list(answer, 'result');
  if (name === 'invitations.resend') return [answer];
  if (name !== 'invitations.create') return [];
  const rows = list(answer, 'results').map(({ invitation }) => invitation as Answer | undefined);
  return answer['results'] ? rows.filter((row) => row !== undefined) : [answer];
}

/** The token in an invitation's link. */
export const tokenOf = (invitation: Answer): string | undefined =>
  /[#&?]token=([\w.-]+)/.exec(text(invitation, 'link'))?.[1];
