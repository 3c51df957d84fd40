import * as z from 'zod';
import { line, paged, timestamp, uid, uuid, workspaceId } from '../model/fields.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { permission } from '../model/permission.ts';
import { group, type RouteSpec } from './route.ts';

/** API keys: what programs of users and of workspaces authenticate with, as Bearer. */

const keyId = z
  .string()
  .regex(new RegExp(`^key-${uuid.source.slice(1)}`), 'Must be key- and a UUID in lower case')
  .meta({
    description: 'Id of an API key.',
    maxLength: 40,
    example: 'key-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a07',
  });

const role = z.enum(['member', 'admin']);

const name = line(limits.name).min(1).meta({ description: 'What it is for.', example: 'CI' });

const permissions = z.array(permission).min(1).max(limits.apiKeys.permissions).meta({
  description: 'The permissions of the service and of the project that it is limited to.',
});

/** An API key as shown to those who manage it; it contains no credential. */
export const apiKey = z
  .object({
    key_id: keyId,
    name,
    role: role.optional().meta({ description: 'What a key of a workspace is there.' }),
    permissions: permissions.optional(),
    created_by: uid.optional().meta({
      description: 'The user who made a key of a workspace; absent if the backend did.',
    }),
    created_at: timestamp,
    expires_at: timestamp.optional(),
    last_used_on: z.iso.date().optional().meta({
      description: 'The last day (UTC) on which it was used. Absent if it never was.',
    }),
    previous_expires_at: timestamp.optional().meta({
      description: 'Until when a text from before the last rotation works.',
    }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The key itself. It is not shown again.' }) })
  .meta({ id: 'NewApiKey' });

const expires_in = z
  .int()
  .min(lifetimes.apiKey.min)
  .max(lifetimes.apiKey.max)
  .optional()
  .meta({ description: 'Seconds for which it works. Without it, until it is revoked.' });

/** One for each route: a component of the document has one name. */
const rotation = () =>
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

const revoked = z.object({ key_id: keyId, revoked_at: timestamp }).meta({ id: 'RevokedApiKey' });

/** The routes of the keys of an owner, at a path. */
const routesAt = <
  const P extends `/${string}`,
  const A extends RouteSpec['auth'],
  const S extends z.ZodRawShape,
  const B extends z.ZodRawShape,
  const W extends { params?: z.ZodObject },
>({
  path,
  auth,
  params,
  owner,
  made,
  within,
}: {
  path: P;
  auth: A;
  params: S;
  owner: string;
  made: B;
  /** The parameters of the path of all keys, if it has any. */
  within: W;
}) => {
  const ofKey = z.strictObject({ ...params, key_id: keyId });
  const notFound = ['not_found', 'forbidden'] as const;
  return {
    create: {
      method: 'POST',
      path,
      summary: `Create an API key of ${owner}. It is shown only once.`,
      auth,
      ...within,
      body: z.strictObject({ name, permissions: permissions.optional(), expires_in, ...made }),
      response: newApiKey,
      statuses: [201],
      notByActor: true,
      errors: [...notFound, 'api_key_limit_reached'],
    },
    list: {
      method: 'GET',
      path,
      summary: `The live API keys of ${owner}, oldest first.`,
      auth,
      ...within,
      response: paged(apiKey),
      statuses: [200],
      errors: notFound,
    },
    update: {
      method: 'PUT',
      path: `${path}/{key_id}`,
      summary: `Rename an API key of ${owner}.`,
      auth,
      params: ofKey,
      body: z.strictObject({ name }),
      response: apiKey,
      statuses: [200],
      notByActor: true,
      errors: notFound,
    },
    revoke: {
      method: 'DELETE',
      path: `${path}/{key_id}`,
      summary: `Revoke an API key of ${owner}; its next request is refused.`,
      auth,
      params: ofKey,
      response: revoked,
      statuses: [200],
      notByActor: true,
      errors: notFound,
    },
    rotate: {
      method: 'POST',
      path: `${path}/{key_id}/rotate`,
      summary: `Give an API key of ${owner} a new text, which is shown only once.`,
      auth,
      params: ofKey,
      body: rotation(),
      response: newApiKey,
      statuses: [200],
      notByActor: true,
      errors: notFound,
    },
  } as const;
};

export const apiKeys = group('apiKeys', {
  ...routesAt({
    path: '/users/me/api_keys',
    auth: ['access'],
    params: {},
    within: {},
    owner: 'the caller',
    made: {},
  }),
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
        name: name.optional(),
        uid: uid.optional().meta({ description: 'The user as whom it acts.' }),
        workspace_id: workspaceId.optional().meta({
          description: 'The workspace that it is of, or the one that was asked about.',
        }),
        role: z.string().optional().meta({
          description: 'What the key, or its user, is in the workspace. Absent for a stranger.',
        }),
        permissions: z.array(permission).optional().meta({
          description:
            'What it may do in the workspace now. Without a workspace: what a key of a user is limited to, if it is.',
        }),
        expires_at: timestamp.optional(),
      })
      .meta({ id: 'VerifiedApiKey', description: 'Without anything but `valid` if it is not.' }),
    statuses: [200],
    readOnly: true,
    errors: [],
  },
});

export const workspaceKeys = group('workspaceKeys', {
  ...routesAt({
    path: '/workspaces/{workspace_id}/api_keys',
    auth: ['project', 'access'],
    params: { workspace_id: workspaceId },
    within: { params: z.strictObject({ workspace_id: workspaceId }) },
    owner: 'a workspace',
    made: {
      role: role.optional().meta({
        description:
          'What it is in the workspace. Default: member; admin, as far as the `permissions` go, if these are given.',
      }),
    },
  }),
});
