import * as z from 'zod';
import { paged, workspaceId } from '../model/fields.ts';
import {
  apiKey,
  keyChanges,
  keyId,
  keyRole,
  newApiKey,
  newKey,
  revokedApiKey,
  rotation,
} from './api-keys.ts';
import { group } from './route.ts';

/** API keys of workspaces, for programs that act in one of them. */

const params = z.strictObject({ workspace_id: workspaceId });
const ofKey = z.strictObject({ workspace_id: workspaceId, key_id: keyId });

export const workspaceKeys = group('workspaceKeys', {
  create: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/api_keys',
    summary: 'Create an API key of a workspace. It is shown only once.',
    auth: ['project', 'access'],
    params,
    body: newKey().extend({
      role: keyRole.optional().meta({
        description:
          'The role of the key in the workspace. Default: member; with `permissions`, admin limited to these permissions.',
      }),
    }),
    response: newApiKey,
    statuses: [201],
    notByActor: true,
    recentSignIn: true,
    errors: ['not_found', 'forbidden', 'api_key_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/api_keys',
    summary: 'The valid API keys of a workspace, oldest first.',
    auth: ['project', 'access'],
    params,
    response: paged(apiKey),
    errors: ['not_found', 'forbidden'],
  },
  update: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/api_keys/{key_id}',
    summary: 'Change the name or the metadata of an API key of a workspace.',
    auth: ['project', 'access'],
    params: ofKey,
    body: keyChanges(),
    response: apiKey,
    notByActor: true,
    errors: ['not_found', 'forbidden'],
  },
  revoke: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/api_keys/{key_id}',
    summary: 'Revoke an API key of a workspace; its next request is refused.',
    auth: ['project', 'access'],
    params: ofKey,
    response: revokedApiKey,
    notByActor: true,
    errors: ['not_found', 'forbidden'],
  },
  rotate: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/api_keys/{key_id}/rotate',
    summary: 'Give an API key of a workspace a new text, which is shown only once.',
    auth: ['project', 'access'],
    params: ofKey,
    body: rotation(),
    response: newApiKey,
    notByActor: true,
    recentSignIn: true,
    errors: ['not_found', 'forbidden'],
  },
});
