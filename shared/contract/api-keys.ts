import * as z from 'zod';
import { line, paged, timestamp, uid, uuid, workspaceId } from '../model/fields.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { keyMetadata, metadata } from '../model/metadata.ts';
import { permission } from '../model/permission.ts';
import { group } from './route.ts';

/** API keys: what programs of users and of workspaces authenticate with, as Bearer. */

export const keyId = z
  .string()
  .regex(new RegExp(`^key-${uuid.source.slice(1)}`), 'Must be key- and a UUID in lower case')
  .meta({
    description: 'Id of an API key.',
    maxLength: 40,
    example: 'key-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a07',
  });

export const keyRole = z.enum(['member', 'admin']);

export const keyName = line(limits.name)
  .min(1)
  .meta({ description: 'What it is for.', example: 'CI' });

export const keyPermissions = z.array(permission).min(1).max(limits.apiKeys.permissions).meta({
  description: 'The permissions of the service and of the project that it is limited to.',
});

/** An API key as shown to those who manage it; it contains no credential. */
export const apiKey = z
  .object({
    key_id: keyId,
    name: keyName,
    role: keyRole.optional().meta({ description: 'What a key of a workspace is there.' }),
    permissions: keyPermissions.optional(),
    metadata: metadata.optional().meta({ description: 'Absent without any.' }),
    created_by: uid.optional().meta({
      description: 'The user who made a key of a workspace; absent if the backend did.',
    }),
    created_at: timestamp,
    expires_at: timestamp.optional(),
    last_used_on: z.iso.date().optional().meta({
      description:
        'The last day (UTC) on which it was used, in lists alone. Absent if it never was.',
    }),
    previous_expires_at: timestamp.optional().meta({
      description: 'Until when a text from before the last rotation works.',
    }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The key itself. It is not shown again.' }) })
  .meta({ id: 'NewApiKey' });

/** What can change of a key. What is absent stays. */
export const keyChanges = () =>
  z.strictObject({ name: keyName.optional(), metadata: keyMetadata.replacing });

export const keyLifetime = z
  .int()
  .min(lifetimes.apiKey.min)
  .max(lifetimes.apiKey.max)
  .optional()
  .meta({ description: 'Seconds for which it works. Without it, until it is revoked.' });

/** Of each route its own: a component of the document has one name. */
export const rotation = () =>
  z.strictObject({
    overlap: z
      .int()
      .min(0)
      .max(lifetimes.apiKey.maxOverlap)
      .optional()
      .meta({
        description: `Seconds for which the text before works too; default ${lifetimes.apiKey.overlap}.`,
      }),
  });

export const revokedApiKey = z
  .object({ key_id: keyId, revoked_at: timestamp })
  .meta({ id: 'RevokedApiKey' });

const params = z.strictObject({ key_id: keyId });
const ofUser = z.strictObject({ uid });

export const apiKeys = group('apiKeys', {
  create: {
    method: 'POST',
    path: '/users/me/api_keys',
    summary: 'Create an API key of the caller. It is shown only once.',
    auth: ['access'],
    body: z.strictObject({
      name: keyName,
      permissions: keyPermissions.optional(),
      metadata: keyMetadata.initial,
      expires_in: keyLifetime,
    }),
    response: newApiKey,
    statuses: [201],
    notByActor: true,
    recentSignIn: true,
    errors: ['not_found', 'forbidden', 'api_key_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/users/me/api_keys',
    summary: 'The live API keys of the caller, oldest first.',
    auth: ['access'],
    response: paged(apiKey),
    statuses: [200],
    errors: ['not_found', 'forbidden'],
  },
  update: {
    method: 'PUT',
    path: '/users/me/api_keys/{key_id}',
    summary: 'Change the name or the metadata of an API key of the caller.',
    auth: ['access'],
    params,
    body: keyChanges(),
    response: apiKey,
    statuses: [200],
    notByActor: true,
    errors: ['not_found', 'forbidden'],
  },
  revoke: {
    method: 'DELETE',
    path: '/users/me/api_keys/{key_id}',
    summary: 'Revoke an API key of the caller; its next request is refused.',
    auth: ['access'],
    params,
    response: revokedApiKey,
    statuses: [200],
    notByActor: true,
    errors: ['not_found', 'forbidden'],
  },
  rotate: {
    method: 'POST',
    path: '/users/me/api_keys/{key_id}/rotate',
    summary: 'Give an API key of the caller a new text, which is shown only once.',
    auth: ['access'],
    params,
    body: rotation(),
    response: newApiKey,
    statuses: [200],
    notByActor: true,
    recentSignIn: true,
    errors: ['not_found', 'forbidden'],
  },
  listOfUser: {
    method: 'GET',
    path: '/users/{uid}/api_keys',
    summary: 'The live API keys of a user, oldest first.',
    auth: ['project'],
    params: ofUser,
    response: paged(apiKey),
    statuses: [200],
    errors: ['not_found'],
  },
  revokeOfUser: {
    method: 'DELETE',
    path: '/users/{uid}/api_keys/{key_id}',
    summary: 'Revoke an API key of a user; its next request is refused.',
    auth: ['project'],
    params: ofUser.extend({ key_id: keyId }),
    response: revokedApiKey,
    statuses: [200],
    errors: ['not_found'],
  },
  verify: {
    method: 'POST',
    path: '/api_keys/verify',
    summary: 'Check whether an API key is valid, and what it may do.',
    auth: ['project'],
    body: z.strictObject({
      key: z.string().meta({
        description: 'For any text that is no key of the project the response is `"valid": false`.',
      }),
      workspace_id: workspaceId.optional().meta({
        description:
          'Where the key is to be used: the response says what it may do there. A key of another workspace is not valid.',
      }),
    }),
    response: z
      .object({
        valid: z.boolean(),
        key_id: keyId.optional(),
        name: keyName.optional(),
        uid: uid.optional().meta({ description: 'The user as whom it acts.' }),
        workspace_id: workspaceId.optional().meta({
          description: 'The workspace that it is of, or the one that was asked about.',
        }),
        role: z
          .string()
          .optional()
          .meta({
            description:
              'What the key, or its user, is in the workspace. Absent for a stranger. Of a limited key it says only the ' +
              'most that its permissions can be: decide by these.',
          }),
        permissions: z
          .array(permission)
          .optional()
          .meta({
            description:
              'What it holds in the workspace now; of the permissions of the service it can use those of the routes that ' +
              'take keys. Without a workspace: what the user has limited a key to, if they have; they may hold none of ' +
              'it, so it is no right.',
          }),
        metadata: metadata.optional().meta({
          description: 'As those who manage the key wrote it: no proof of anything.',
        }),
        expires_at: timestamp.optional(),
        retry_after: z.int().optional().meta({
          description:
            'Seconds after which the key is valid again: it was used as often as the project lets it in a minute.',
        }),
      })
      .meta({
        id: 'VerifiedApiKey',
        description: 'Without anything of the key if it is not valid.',
      }),
    statuses: [200],
    readOnly: true,
    errors: [],
  },
});
