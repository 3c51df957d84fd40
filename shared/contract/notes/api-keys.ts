import { lifetimes, limits } from '../../model/limits.ts';
import type { NotesOf } from './operation-note.ts';

const managed = ['api-key:manage'] as const;
const limit = `At most ${limits.apiKeys.perOwner} keys are valid at a time.`;
const overlap = `The previous text of the key stays valid for another ${lifetimes.apiKey.overlap / 3_600} hours, or for the seconds in \`overlap\`. With 0, the texts of all earlier rotations become invalid at once.`;

const changing = `Changes only the fields in the body. \`metadata\` has at most ${limits.apiKeyMetadata} bytes as JSON and ${limits.metadataDepth} levels; a new object replaces the previous one.`;

export const apiKeyNotes: NotesOf<'apiKeys' | 'workspaceKeys'> = {
  'apiKeys.create': {
    text: `A program sends the key as a Bearer token and acts as the user, within the workspaces of the user. When the user loses access, the key loses it with its next request. \`permissions\` limit the key further. The key cannot change the account, its sessions, sign-in methods or keys. ${limit}`,
    events: ['user.api_key.created'],
  },
  'apiKeys.list': { text: 'One page has all keys, without their texts.' },
  'apiKeys.update': {
    text: changing,
    events: ['user.api_key.updated'],
  },
  'apiKeys.revoke': {
    text: 'The key becomes invalid at once, because each request reads it.',
    events: ['user.api_key.revoked'],
  },
  'apiKeys.rotate': { text: overlap, events: ['user.api_key.rotated'] },
  'apiKeys.listOfUser': {
    text: 'For your support, when a key of a user has leaked. One page has all keys that are valid, or will be once the user is enabled again. Keys that ended when the user set a password by mail are not listed. The keys themselves are not shown.',
  },
  'apiKeys.revokeOfUser': {
    text: 'The key becomes invalid at once, because each request reads it. The user no longer sees the key in their list.',
    events: ['user.api_key.revoked'],
  },
  'apiKeys.verify': {
    text: 'For backends that accept the API keys of their customers. A key of a disabled or deleted user, of a deleted workspace or of another project is not valid. The people who manage the key write its `metadata`: never grant access because of it.',
  },
  'workspaceKeys.create': {
    text: `A program sends the key as a Bearer token and acts in the workspace, within the role and \`permissions\` of the key: an admin's key can also change the workspace, its members and invitations. The key belongs to the workspace. It stays until it is revoked, even when the person who created it leaves. ${limit}`,
    permissions: managed,
    events: ['workspace.api_key.created'],
  },
  'workspaceKeys.list': {
    text: 'One page has all keys, without their texts.',
    permissions: managed,
  },
  'workspaceKeys.update': {
    text: changing,
    permissions: managed,
    events: ['workspace.api_key.updated'],
  },
  'workspaceKeys.revoke': {
    text: 'The key becomes invalid at once, because each request reads it.',
    permissions: managed,
    events: ['workspace.api_key.revoked'],
  },
  'workspaceKeys.rotate': {
    text: overlap,
    permissions: managed,
    events: ['workspace.api_key.rotated'],
  },
};
