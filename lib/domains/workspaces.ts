import type { Domain } from '../domain.ts';

/** A change that somebody's role allows: it is committed only if the workspace and the roles are as they were read. */
const byRole = { get: ['workspaces', 'roles'], check: ['workspaces', 'roles'] } as const;
/** The same where the user must be as they were read too. */
const byRoleOfUser = { ...byRole, check: ['users', 'workspaces', 'roles'] } as const;
/** Items of a workspace that are created, replaced and deleted. */
const rewritten = { put: ['workspaces'], update: ['workspaces'], delete: ['workspaces'] } as const;

/** Workspaces, and how users join them. */
export const workspaces = {
  endpoints: {
    'workspaces.create': {
      get: ['users'],
      put: ['workspaces', 'externalIds'],
      update: ['users', 'rates'],
    },
    'workspaces.list': {
      get: ['workspaces', 'externalIds'],
      query: ['directory'],
      indexes: ['by-member'],
    },
    'workspaces.get': { get: ['workspaces'] },
    'workspaces.update': {
      ...byRole,
      put: ['externalIds'],
      update: ['workspaces', 'rates'],
      delete: ['externalIds'],
    },
    'workspaces.delete': {
      get: ['workspaces'],
      update: ['users', 'workspaces'],
      delete: ['externalIds'],
    },
    'workspaces.restore': {
      get: ['workspaces', 'externalIds'],
      put: ['externalIds'],
      update: ['users', 'workspaces'],
    },
    'workspaces.getMetadata': { get: ['workspaces', 'roles'] },
    'workspaces.setMetadata': { get: ['workspaces'], ...rewritten },
    'workspaces.mergeMetadata': { get: ['workspaces'], ...rewritten },
    'ownership.offer': {
      get: ['workspaces'],
      check: ['workspaces'],
      update: ['users', 'workspaces'],
    },
    'ownership.accept': {
      get: ['workspaces'],
      check: ['workspaces'],
      update: ['users', 'workspaces'],
    },
    'ownership.end': { get: ['workspaces'], update: ['workspaces'] },
    'workspaces.setAllowedDomains': { ...byRoleOfUser, ...rewritten },
    'workspaceKeys.create': {
      ...byRoleOfUser,
      query: ['workspaces'],
      put: ['workspaces'],
      update: ['workspaces'],
      delete: ['workspaces', 'apiKeyUses'],
    },
    'workspaceKeys.list': { get: ['workspaces', 'roles'], query: ['workspaces', 'apiKeyUses'] },
    'workspaceKeys.update': { ...byRole, update: ['workspaces'] },
    'workspaceKeys.rotate': { ...byRoleOfUser, update: ['workspaces'] },
    'workspaceKeys.revoke': {
      ...byRoleOfUser,
      update: ['workspaces'],
      delete: ['workspaces', 'apiKeyUses'],
    },
    'domains.list': { get: ['workspaces', 'roles'] },
    'domains.set': { ...byRoleOfUser, ...rewritten },
    'domains.prove': { ...byRole, put: ['workspaces'], update: ['workspaces'] },
    'workspaces.listJoined': { get: ['workspaces'], indexes: ['by-member'] },
    'workspaces.listInvited': { get: ['workspaces'], indexes: ['by-member', 'by-email'] },
    'members.join': {
      ...byRole,
      put: ['workspaces'],
      update: ['users', 'workspaces'],
      delete: ['workspaces'],
    },
    // A caller who may not add a user directly invites them.
    'members.add': {
      ...byRoleOfUser,
      query: ['workspaces'],
      put: ['mails', 'workspaces'],
      update: ['users', 'rates', 'workspaces'],
      delete: ['workspaces'],
      indexes: ['by-member'],
      secrets: { mail: 'read' },
    },
    'members.list': { get: ['workspaces', 'roles'], query: ['workspaces', 'memberTerms'] },
    'members.get': { get: ['workspaces'] },
    'members.remove': {
      ...byRole,
      put: ['leftWorkspaces'],
      update: ['users', 'workspaces'],
      delete: ['workspaces'],
    },
    'members.suspend': { ...byRole, update: ['workspaces'] },
    'members.setMetadata': { get: ['workspaces'], update: ['workspaces'] },
    'members.mergeMetadata': { get: ['workspaces'], update: ['workspaces'] },
    'members.changeRole': { ...byRole, update: ['workspaces'] },
    'invitations.create': {
      // A dry run only reads how often a mailbox was invited.
      get: ['emails', 'rates', 'workspaces', 'roles'],
      query: ['workspaces'],
      check: ['users', 'workspaces', 'roles'],
      put: ['users', 'emails', 'mails', 'workspaces'],
      update: ['rates', 'workspaces'],
      delete: ['workspaces'],
      secrets: { mail: 'read' },
    },
    'invitations.list': { get: ['workspaces', 'roles'], query: ['workspaces'] },
    'invitations.resend': {
      ...byRole,
      put: ['mails'],
      update: ['rates', 'workspaces'],
      secrets: { mail: 'read' },
    },
    'invitations.end': { ...byRole, update: ['workspaces'], delete: ['workspaces'] },
    'invitations.endByEmail': {
      get: ['emails', 'workspaces', 'roles'],
      query: ['workspaces'],
      check: ['workspaces', 'roles'],
      update: ['workspaces'],
      delete: ['workspaces'],
    },
    'invitations.accept': {
      get: ['workspaces'],
      query: ['users'],
      put: ['workspaces'],
      update: ['users', 'workspaces'],
      delete: ['users', 'identities', 'providerTokens', 'passkeys', 'workspaces'],
    },
    'joinRequests.create': {
      get: ['workspaces'],
      query: ['workspaces'],
      check: ['users', 'workspaces'],
      ...rewritten,
    },
    'joinRequests.list': { get: ['workspaces', 'roles'], query: ['workspaces'] },
    'joinRequests.approve': {
      ...byRole,
      put: ['workspaces'],
      update: ['users', 'workspaces'],
      delete: ['workspaces'],
    },
    'joinRequests.delete': { ...byRole, update: ['workspaces'], delete: ['workspaces'] },
    'joinLinks.create': { ...byRole, query: ['workspaces'], ...rewritten },
    'joinLinks.list': { get: ['workspaces', 'roles'], query: ['workspaces'] },
    'joinLinks.revoke': { ...byRole, update: ['workspaces'], delete: ['workspaces'] },
  },
  jobs: {},
} as const satisfies Domain;
