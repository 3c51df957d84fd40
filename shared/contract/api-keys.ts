import * as z from 'zod';
import { filledLine, paged, timestamp, uid, uuid, workspaceId } from '../model/fields.ts';
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

const purpose = { description: 'The purpose of the key.', example: 'CI' };
const keyName = filledLine(limits.name).meta(purpose);

const keyPermissions = z.array(permission).min(1).max(limits.apiKeys.permissions).meta({
  description: 'Limits the key to these permissions of the service and of the project.',
});

/** An API key as shown to those who manage it; it contains no credential. */
export const apiKey = z
  .object({
    key_id: keyId,
    name: z.string().meta(purpose),
    role: keyRole.optional().meta({ description: 'The role of a workspace key in its workspace.' }),
    permissions: keyPermissions.optional(),
    metadata: metadata.optional().meta({ description: 'Absent without any.' }),
    created_by: uid.optional().meta({
      description: 'The user who created a workspace key; absent if the backend created it.',
    }),
    created_at: timestamp,
    expires_at: timestamp.optional(),
    last_used_on: z.iso.date().optional().meta({
      description:
        'The last day (UTC) on which the key was used. Only in lists; absent if the key was never used.',
    }),
    previous_expires_at: timestamp.optional().meta({
      description: 'The time until which the text from before the last rotation is valid.',
    }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The key itself. It is not shown again.' }) })
  .meta({ id: 'NewApiKey' });

/** A key to be created. Of each route its own: a component of the document has one name. */
export const newKey = () =>
  z.strictObject({
    name: keyName,
    permissions: keyPermissions.optional(),
    metadata: keyMetadata.initial,
    expires_in: keyLifetime,
  });

/** What can change of a key. What is absent stays. */
export const keyChanges = () =>
  z.strictObject({ name: keyName.optional(), metadata: keyMetadata.replacing });

const keyLifetime = z.int().min(lifetimes.apiKey.min).max(lifetimes.apiKey.max).optional().meta({
  description:
    'Seconds for which the key is valid. Without this field, it is valid until it is revoked.',
});

/** As `newKey`, of each route its own. */
export const rotation = () =>
  z.strictObject({
    overlap: z
      .int()
      .min(0)
      .max(lifetimes.apiKey.maxOverlap)
      .optional()
      .meta({
        description: `Seconds for which the previous text stays valid; default ${lifetimes.apiKey.overlap}.`,
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
    body: newKey(),
    response: newApiKey,
    statuses: [201],
    notByActor: true,
    recentSignIn: true,
    errors: ['not_found', 'forbidden', 'api_key_limit_reached'],
  },
  list: {
    method: 'GET',
    path: '/users/me/api_keys',
    summary: 'The valid API keys of the caller, oldest first.',
    auth: ['access'],
    response: paged(apiKey),
  },
  update: {
    method: 'PUT',
    path: '/users/me/api_keys/{key_id}',
    summary: 'Change the name or the metadata of an API key of the caller.',
    auth: ['access'],
    params,
    body: keyChanges(),
    response: apiKey,
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
    notByActor: true,
    recentSignIn: true,
    errors: ['not_found', 'forbidden'],
  },
  listOfUser: {
    method: 'GET',
    path: '/users/{uid}/api_keys',
    summary: 'The valid API keys of a user, oldest first.',
    auth: ['project'],
    params: ofUser,
    response: paged(apiKey),
    errors: ['not_found'],
  },
  revokeOfUser: {
    method: 'DELETE',
    path: '/users/{uid}/api_keys/{key_id}',
    summary: 'Revoke an API key of a user; its next request is refused.',
    auth: ['project'],
    params: ofUser.extend({ key_id: keyId }),
    response: revokedApiKey,
    errors: ['not_found'],
  },
  verify: {
    method: 'POST',
    path: '/api_keys/verify',
    summary: 'Check whether an API key is valid, and what it may do.',
    auth: ['project'],
    body: z.strictObject({
      key: z.string().meta({
        description:
          'For any text that is not a key of the project, the response is `"valid": false`.',
      }),
      workspace_id: workspaceId.optional().meta({
        description:
          'The workspace in which the program uses the key; the response has the permissions there. A key of another workspace is not valid.',
      }),
    }),
    response: z
      .object({
        valid: z.boolean(),
        key_id: keyId.optional(),
        name: z.string().optional().meta(purpose),
        uid: uid.optional().meta({ description: 'The user as whom the key acts.' }),
        workspace_id: workspaceId.optional().meta({
          description: 'The workspace of the key, or the workspace in the request.',
        }),
        role: z
          .string()
          .optional()
          .meta({
            description:
              'The role of the key, or of its user, in the workspace. Absent if the user is not a member. A limited key may have ' +
              'fewer permissions than its role: decide by `permissions`.',
          }),
        permissions: z
          .array(permission)
          .optional()
          .meta({
            description:
              'The permissions of the key in the workspace now; it can use a permission of the service only with the routes that ' +
              'accept keys. Without a workspace: the permissions that the user has limited the key to, if any. The user may not ' +
              'have these permissions, so they grant nothing.',
          }),
        metadata: metadata.optional().meta({
          description: 'Written by the people who manage the key: it proves nothing.',
        }),
        expires_at: timestamp.optional(),
        retry_after: z.int().optional().meta({
          description:
            'Seconds until the key is valid again, after it reached the uses per minute that the project allows.',
        }),
      })
      .meta({
        id: 'VerifiedApiKey',
        description: 'If the key is not valid, the response has nothing about the key.',
      }),
    readOnly: true,
  },
});
