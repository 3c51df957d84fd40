import * as z from 'zod';
import {
  paged,
  projectId,
  sessionId,
  timestamp,
  uid,
  workspaceId,
  workspaceRole,
} from '../model/fields.ts';
import { permission } from '../model/permission.ts';
import { actor, session, sessionInfo } from '../model/user-resources.ts';
import { password } from './credentials.ts';
import { guess } from './factors.ts';
import { assertion } from './passkeys.ts';
import { group } from './route.ts';

const ofUser = z.strictObject({
  user_id: uid.optional().meta({
    description:
      'The user whose sessions the request is about. Required with Basic; with Bearer it is the caller: anybody else is 404.',
  }),
});
const ended = z.object({ session_id: sessionId, ended_at: timestamp }).meta({ id: 'EndedSession' });

const activeWorkspace = {
  workspace_id: workspaceId.optional().meta({ description: 'The active workspace.' }),
  workspace_role: workspaceRole.optional(),
  permissions: z.array(permission).optional().meta({
    description:
      'The permissions of the user in the workspace, sorted; absent if they are too many for a token.',
  }),
  permissions_truncated: z
    .boolean()
    .optional()
    .meta({ description: 'True, instead of the permissions, if they are too many.' }),
};

/** The members of RFC 7662 section 2.2 for the token; only `active` for an inactive one. */
const introspection = z
  .union([
    z
      .object({
        active: z.literal(true),
        token_type: z.literal('Bearer'),
        client_id: z.string().meta({
          description: 'The OAuth client for which the session was started, otherwise the project.',
        }),
        sub: uid,
        sid: sessionId,
        aud: projectId,
        iss: z.string(),
        iat: z.int().meta({ description: 'Seconds since 1970.' }),
        exp: z.int().meta({ description: 'Seconds since 1970.' }),
        jti: z.string(),
        auth_time: z
          .int()
          .optional()
          .meta({ description: 'The time of the sign-in, in seconds since 1970.' }),
        amr: z
          .array(z.string())
          .optional()
          .meta({ description: 'The authentication methods of the session (RFC 8176).' }),
        acr: z
          .string()
          .optional()
          .meta({ description: '`aal2` after a sign-in with two factors, otherwise `aal1`.' }),
        act: z
          .object({ sub: z.string() })
          .optional()
          .meta({ description: 'The person who acts as the user (RFC 8693).' }),
        ...activeWorkspace,
      })
      // The claims that the project puts into its tokens, as the token has them.
      .catchall(z.unknown())
      .meta({ id: 'ActiveToken' }),
    z.object({ active: z.literal(false) }).meta({ id: 'InactiveToken' }),
  ])
  .meta({ id: 'Introspection' });

export const sessions = group('sessions', {
  create: {
    method: 'POST',
    path: '/sessions',
    summary: "Start a session for a user whom the project's backend has authenticated.",
    auth: ['project'],
    body: z.strictObject({
      uid,
      actor: z.strictObject(actor.shape).optional().meta({
        description:
          'The person who acts as the user, and the reason; only if the project allows it (`impersonation`). Without `actor`, it is a session of the user.',
      }),
    }),
    response: session,
    statuses: [201],
    errors: ['not_found', 'user_disabled', 'forbidden'],
  },
  list: {
    method: 'GET',
    path: '/sessions',
    summary: 'The live sessions of a user, newest first.',
    auth: ['project', 'access'],
    query: ofUser,
    response: paged(sessionInfo),
    errors: ['not_found'],
  },
  end: {
    method: 'DELETE',
    path: '/sessions/{session_id}',
    summary: 'End a session; its next request is rejected.',
    auth: ['project', 'access'],
    uncounted: true,
    notByActor: true,
    params: z.strictObject({ session_id: sessionId }),
    query: ofUser,
    response: ended,
    errors: ['not_found'],
  },
  endAll: {
    method: 'DELETE',
    path: '/sessions',
    summary: 'End every session of a user; with Bearer, all except the current one.',
    auth: ['project', 'access'],
    uncounted: true,
    notByActor: true,
    query: ofUser,
    response: z.object({ ended: z.int() }).meta({ id: 'EndedSessions' }),
    errors: ['not_found'],
  },
  signOut: {
    method: 'DELETE',
    path: '/sessions/current',
    summary: 'Sign out: end the current session.',
    auth: ['access'],
    uncounted: true,
    response: ended,
  },
  refresh: {
    method: 'POST',
    path: '/sessions/token/refresh',
    summary: 'Renew a session with its refresh token.',
    auth: ['refresh'],
    body: z.strictObject({
      accessToken: z
        .string()
        .min(1)
        .max(4096)
        .meta({ description: 'The current access token; it may have expired.' }),
    }),
    response: session,
    errors: ['token_expired', 'refresh_token_reused'],
  },
  selectWorkspace: {
    method: 'POST',
    path: '/sessions/workspace',
    summary: 'Choose the active workspace of the session; returns an access token that names it.',
    auth: ['access'],
    body: z.strictObject({
      workspace_id: workspaceId.nullable().meta({
        description: 'A workspace that the caller is a member of; null for none.',
      }),
    }),
    response: z
      .object({
        access_token: z.string().meta({
          description: 'It expires at the same time as the token of the request.',
        }),
        expires_in: z.int().meta({ description: 'Seconds until then.' }),
        ...activeWorkspace,
      })
      .meta({ id: 'SelectedWorkspace' }),
    errors: ['not_found', 'mfa_required'],
  },
  reauthenticate: {
    method: 'POST',
    path: '/sessions/reauthenticate',
    summary:
      'Sign in again within the current session; returns an access token with the new `auth_time`.',
    auth: ['access'],
    notByActor: true,
    body: z.strictObject({
      password: password.optional(),
      ...guess,
      passkey: assertion.optional(),
    }),
    response: z
      .object({
        access_token: z.string().meta({
          description:
            'Its `auth_time` is the time of this request. It expires at the same time as the token of the request.',
        }),
        expires_in: z.int().meta({ description: 'Seconds until then.' }),
      })
      .meta({ id: 'Reauthenticated' }),
    errors: [
      'not_found',
      'invalid_credentials',
      'password_locked',
      'factor_locked',
      'sign_in_method_disabled',
    ],
  },
  introspect: {
    method: 'POST',
    path: '/sessions/introspect',
    summary: 'Check whether an access token is valid and its session has not ended (RFC 7662).',
    auth: ['project'],
    body: z.strictObject({
      token: z.string().meta({
        description: 'An access token. For any other text the response is `"active": false`.',
      }),
    }),
    response: introspection,
    readOnly: true,
  },
});
