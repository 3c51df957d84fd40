import type { Answer, Entry } from '../history.ts';

/** Reads answers, which are whatever the service said. */

export const text = (of: unknown, field: string): string => {
  const value = (of as Answer | undefined)?.[field];
  return typeof value === 'string' ? value : '';
};

export const list = (of: unknown, field: string): Answer[] => {
  const value = (of as Answer | undefined)?.[field];
  return Array.isArray(value) ? (value as Answer[]) : [];
};

/** The workspace that a request is about. */
export const placeOf = ({ params, body }: Entry): string =>
  params?.['workspace_id'] ?? text(body, 'workspace_id');

/** Users as the table had them, in an answer that read them consistently. */
export function usersIn({ name, answer, status = 500 }: Entry): Answer[] {
  if (!answer || status >= 300) return [];
  switch (name) {
    case 'users.get':
    case 'users.getMe':
    case 'users.update':
    case 'members.changeRole':
      return [answer];
    case 'users.create':
      // Of a user that there was, the index may show an older state.
      return status === 201 ? [answer] : [];
    // The list is late; the users in it are not.
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

/** Workspaces in an answer, all of them read consistently. */
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

/** A membership or an invitation in the answer of what changed it, or read it. */
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

/** Invitations that an answer shows, with what they are of. */
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
