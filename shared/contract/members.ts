import * as z from 'zod';
import { filledLine, pagedAtLeast, role, status, uid, workspaceId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { mergeMetadata, replaceMetadata } from '../model/metadata.ts';
import { listedMember, member, userWithRole } from '../model/workspace-resources.ts';
import { joinToken } from './join-links.ts';
import { alone, group, pageQuery } from './route.ts';

const inWorkspace = z.strictObject({ workspace_id: workspaceId });
const ofUser = z.strictObject({ workspace_id: workspaceId, user_id: uid });

export const members = group('members', {
  join: {
    method: 'POST',
    path: '/workspaces/join',
    summary: 'Join a workspace.',
    auth: ['project', 'access'],
    body: z.strictObject({
      workspace_id: workspaceId,
      user_id: uid,
      join_token: joinToken.optional().meta({ description: 'The token of a join link.' }),
    }),
    response: member,
    statuses: [201, 200],
    created: '/workspaces/{workspace_id}/users/{user_id}',
    errors: [
      'join_link_invalid',
      'not_found',
      'forbidden',
      'approval_required',
      'membership_suspended',
      'mfa_required',
      'member_limit_reached',
      'workspace_limit_reached',
    ],
  },
  add: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/users',
    summary:
      'Add a user to a workspace with a role. A user who shares no workspace with the caller is invited (pending) instead.',
    auth: ['project', 'access'],
    params: inWorkspace,
    body: z.strictObject({
      user_id: uid,
      role,
      suspended: z.literal(true).optional().meta({
        description:
          'True: the member is suspended in the same write, so that they never have access. An existing member is suspended too.',
      }),
    }),
    response: member,
    statuses: [201, 200],
    created: '/workspaces/{workspace_id}/users/{user_id}',
    errors: [
      'not_found',
      'forbidden',
      'already_member',
      'invitation_exists',
      'email_missing',
      'owner_must_stay',
      'member_limit_reached',
      'workspace_limit_reached',
      'invitation_limit_reached',
    ],
  },
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/users',
    summary: 'The members of a workspace that have a given status.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z
      .strictObject({
        status,
        query: filledLine(limits.name).optional().meta({
          description:
            'Only members whose name or e-mail starts with this text, ignoring case. Lags by about a second.',
        }),
        ...pageQuery,
      })
      .check(alone('offset', 'cursor')),
    response: pagedAtLeast(listedMember),
    errors: ['not_found', 'forbidden'],
  },
  get: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/users/{user_id}',
    summary: 'A member of a workspace.',
    auth: ['project', 'access'],
    params: ofUser,
    response: member,
    etag: true,
    errors: ['not_found'],
  },
  remove: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/users/{user_id}',
    summary: 'Remove a member. Called by the member: leave. Access ends with the next request.',
    auth: ['project', 'access'],
    params: ofUser,
    response: member,
    ifMatch: member,
    errors: ['not_found', 'forbidden', 'owner_must_stay'],
  },
  suspend: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/users/{user_id}/suspension',
    summary:
      'Suspend a membership (access ends with the next request, the role stays) or resume it.',
    auth: ['project', 'access'],
    params: ofUser,
    body: z.strictObject({ suspended: z.boolean() }),
    response: member,
    etag: true,
    ifMatch: member,
    errors: ['not_found', 'forbidden', 'owner_must_stay'],
  },
  setMetadata: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/users/{user_id}/metadata',
    summary: 'Replace the metadata of a member.',
    auth: ['project'],
    params: ofUser,
    body: replaceMetadata.member,
    response: member,
    etag: true,
    ifMatch: member,
    errors: ['not_found'],
  },
  mergeMetadata: {
    method: 'PATCH',
    path: '/workspaces/{workspace_id}/users/{user_id}/metadata',
    summary: 'Merge into the metadata of a member (RFC 7396).',
    auth: ['project'],
    params: ofUser,
    body: mergeMetadata.member,
    response: member,
    etag: true,
    ifMatch: member,
    errors: ['not_found'],
  },
  changeRole: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/users/{user_id}/role',
    summary: "Change a member's role.",
    auth: ['project', 'access'],
    params: ofUser,
    body: z.strictObject({
      role,
      workspace_id: workspaceId
        .optional()
        .meta({ description: 'If sent, must equal the one in the path.' }),
      user_id: uid.optional().meta({ description: 'If sent, must equal the one in the path.' }),
    }),
    response: userWithRole,
    ifMatch: member,
    errors: ['not_found', 'forbidden', 'owner_role_fixed'],
  },
});
