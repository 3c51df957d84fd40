import * as z from 'zod';
import { paged, role, text, timestamp, uid, workspaceId } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { user } from '../model/user-resources.ts';
import { member } from '../model/workspace-resources.ts';
import { alone, group, pageQuery } from './route.ts';

const inWorkspace = z.strictObject({ workspace_id: workspaceId });
const ofUser = z.strictObject({ workspace_id: workspaceId, user_id: uid });

/** A request to become a member. */
const joinRequest = z
  .object({
    workspace_id: workspaceId,
    user_id: uid,
    message: z.string().optional(),
    created_at: timestamp,
  })
  .meta({ id: 'JoinRequest' });
export type JoinRequest = z.output<typeof joinRequest>;

/** A join request as shown to the admins who decide, with the requesting user. */
const listedJoinRequest = joinRequest
  .extend({
    user: user.pick({
      uid: true,
      email: true,
      profile_url: true,
      preferred_username: true,
      thumbnail_url: true,
      name: true,
      display_name: true,
      verified: true,
    }),
  })
  .meta({ id: 'ListedJoinRequest' });
export type ListedJoinRequest = z.output<typeof listedJoinRequest>;

export const joinRequests = group('joinRequests', {
  create: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/join_requests',
    summary: 'Request to join a workspace that allows the domain of your verified e-mail.',
    auth: ['access'],
    params: inWorkspace,
    body: z.strictObject({
      message: text(limits.joinRequestMessage).min(1).optional().meta({
        description: 'Shown to the admins who decide on the request.',
        example: 'I am new in the team.',
      }),
    }),
    response: joinRequest,
    statuses: [201, 200],
    errors: [
      'forbidden',
      'membership_suspended',
      'already_member',
      'invitation_exists',
      'join_request_limit_reached',
    ],
  },
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/join_requests',
    summary: 'The open requests to join a workspace, oldest first.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z.strictObject(pageQuery).check(alone('offset', 'cursor')),
    response: paged(listedJoinRequest),
    errors: ['not_found', 'forbidden'],
  },
  approve: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/join_requests/{user_id}/approve',
    summary: 'Approve a request to join: the user becomes a member.',
    auth: ['project', 'access'],
    params: ofUser,
    body: z.strictObject({ role: role.optional().meta({ description: 'Default member.' }) }),
    response: member,
    statuses: [201, 200],
    created: '/workspaces/{workspace_id}/users/{user_id}',
    errors: [
      'not_found',
      'forbidden',
      'already_member',
      'member_limit_reached',
      'workspace_limit_reached',
    ],
  },
  delete: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/join_requests/{user_id}',
    summary: 'Refuse a request to join. Called by the requesting user: withdraw it.',
    auth: ['project', 'access'],
    params: ofUser,
    response: joinRequest,
    errors: ['not_found', 'forbidden'],
  },
});
