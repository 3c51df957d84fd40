import { lifetimes, limits } from '../../model/limits.ts';
import type { NotesOf } from './operation-note.ts';

const managed = ['api-key:manage'] as const;
const limit = `At most ${limits.apiKeys.perOwner} keys are live at a time.`;
const overlap = `The text before works for ${lifetimes.apiKey.overlap / 3_600} hours more, or as long as \`overlap\` says; 0 ends it at once, and with it those of rotations before.`;

const changing = `A field that is absent stays as it is. \`metadata\` has at most ${limits.apiKeyMetadata} bytes as JSON and ${limits.metadataDepth} levels; an object replaces the one before.`;

export const apiKeyNotes: NotesOf<'apiKeys' | 'workspaceKeys'> = {
  'apiKeys.create': {
    text: `A program sends it as a Bearer token and acts as the user, within the workspaces of the user: what the user loses, the key loses with its next request. \`permissions\` limit it further. It cannot change the account, its sessions, sign-in methods or keys. ${limit}`,
    events: ['user.api_key.created'],
  },
  'apiKeys.list': { text: 'One page has all of them. The keys themselves are not listed.' },
  'apiKeys.update': {
    text: changing,
    events: ['user.api_key.updated'],
  },
  'apiKeys.revoke': {
    text: 'Each request reads the key, so it ends at once.',
    events: ['user.api_key.revoked'],
  },
  'apiKeys.rotate': { text: overlap, events: ['user.api_key.rotated'] },
  'apiKeys.listOfUser': {
    text: 'For the support of a user whose key has leaked. One page has all that work, or will once the user is enabled again; those that a mailed password has ended are not listed. The keys themselves are not shown.',
  },
  'apiKeys.revokeOfUser': {
    text: 'Each request reads the key, so it ends at once. The user sees in their list that it is gone.',
    events: ['user.api_key.revoked'],
  },
  'apiKeys.verify': {
    text: 'For backends that take the API keys of their customers. A key of a disabled or deleted user, or of a deleted workspace, is not valid; neither is one of another project. `metadata` is what those who manage the key wrote: take it for a note, never for a right.',
  },
  'workspaceKeys.create': {
    text: `A program sends it as a Bearer token and acts in the workspace, as its role and \`permissions\` say: an admin's key also changes it, its members and invitations. It belongs to the workspace and stays until it is revoked, also when the person who made it leaves. ${limit}`,
    permissions: managed,
    events: ['workspace.api_key.created'],
  },
  'workspaceKeys.list': {
    text: 'One page has all of them. The keys themselves are not listed.',
    permissions: managed,
  },
  'workspaceKeys.update': {
    text: changing,
    permissions: managed,
    events: ['workspace.api_key.updated'],
  },
  'workspaceKeys.revoke': {
    text: 'Each request reads the key, so it ends at once.',
    permissions: managed,
    events: ['workspace.api_key.revoked'],
  },
  'workspaceKeys.rotate': {
    text: overlap,
    permissions: managed,
    events: ['workspace.api_key.rotated'],
  },
};
