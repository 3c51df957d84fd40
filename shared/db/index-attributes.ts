import { isBuiltIn, isOwnRole } from '../model/fields.ts';
import { joinRequestPrefix, prefixes } from './key-prefixes.ts';
import { emailPartition } from './keys.ts';

/**
 * The attributes that put an item into an index, for every list that is made of one. An item without them is in no
 * index.
 */

/** Prefix of the index sort key of the items of a deleted workspace, so that no list finds them. */
export const archivedPrefix = 'ARCHIVED#';

/** Index attributes to find a user by e-mail. */
export const byEmail = (projectId: string, email: string) => ({
  by_email_pk: emailPartition(projectId, email),
  by_email_sk: 'USER',
});

/** Index attributes to list the projects. */
export const byOperator = (projectId: string) => ({
  by_email_pk: 'PROJECTS',
  by_email_sk: `PROJECT#${projectId}`,
});

/**
 * Index attributes to find a workspace by an allowed domain. Workspaces that have verified the domain sort before the
 * others, whose ids start in lower case: however many workspaces claim a domain, its true owner is found.
 */
export const byDomain = (
  projectId: string,
  domain: string,
  workspaceId: string,
  proven = false,
) => ({
  by_email_pk: `DOMAIN#${projectId}#${domain}`,
  by_email_sk: proven ? `WS#PROVEN#${workspaceId}` : `WS#${workspaceId}`,
});

/**
 * Index attributes to count who has a role that a project or the workspace defined: members, invitations and join
 * links. None for a role that every project has, which nobody may delete.
 *
 * @param holder unique in the workspace: the uid, or the id of the link
 */
export const byRole = (projectId: string, role: string, workspaceId: string, holder: string) =>
  isBuiltIn(role)
    ? {}
    : {
        by_email_pk: roleHolders(isOwnRole(role) ? workspaceId : projectId, role),
        by_email_sk: `${workspaceId}#${holder}`,
      };

/** What the sort key of each holder begins with: the id of the workspace. */
export const roleHolderPrefix = 'wid-';
/**
 * The partition of the index `by-email` that has the holders of a role.
 *
 * @param owner the id of the project or workspace that defines the role
 */
export const roleHolders = (owner: string, role: string): string => `ROLE#${owner}#${role}`;

/** Index attributes to find the memberships of a user. */
export const byMember = (status: keyof typeof prefixes, uid: string, workspaceId: string) => ({
  by_member_pk: `USER#${uid}`,
  by_member_sk: `${prefixes[status]}${workspaceId}`,
});

/** Index attributes to find the join requests of a user. */
export const byRequester = (uid: string, workspaceId: string) => ({
  by_member_pk: `USER#${uid}`,
  by_member_sk: `${joinRequestPrefix}${workspaceId}`,
});
