import * as z from 'zod';
import {
  listedMember,
  member,
  paged,
  role,
  status,
  uid,
  userWithRole,
  workspaceId,
} from '../model.ts';
import { group, oneStart, pageQuery, throttles } from './route.ts';

const inWorkspace = z.strictObject({ workspace_id: workspaceId });

export const members = group('members', {
  join: {
    method: 'POST',
    path: '/workspaces/join',
    summary: 'Join a workspace.',
    auth: ['project', 'access'],
    body: z.strictObject({ workspace_id: workspaceId, user_id: uid }),
    response: member,
    statuses: [201, 200],
    errors: ['not_found', 'forbidden', 'member_limit_reached'],
    throttle: throttles.write,
  },
  add: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/users',
    summary: 'Add a user to a workspace with a role.',
    auth: ['project', 'access'],
    params: inWorkspace,
    body: z.strictObject({ user_id: uid, role }),
    response: member,
    statuses: [201, 200],
    errors: ['not_found', 'forbidden', 'already_member', 'member_limit_reached'],
    throttle: throttles.write,
  },
  list: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/users',
    summary: 'The members of a workspace with a status.',
    auth: ['project', 'access'],
    params: inWorkspace,
    query: z
      .strictObject({ status, ...pageQuery })
      .refine(oneStart, { path: ['cursor'], error: 'Must not come together with offset' }),
    response: paged(listedMember),
    statuses: [200],
    errors: ['not_found', 'forbidden'],
    throttle: throttles.read,
  },
  changeRole: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/users/{user_id}/role',
    summary: "Change a member's role.",
    auth: ['project', 'access'],
    params: z.strictObject({ workspace_id: workspaceId, user_id: uid }),
    body: z.strictObject({
      role,
      workspace_id: workspaceId.optional().meta({ description: 'If sent, that of the path.' }),
      user_id: uid.optional().meta({ description: 'If sent, that of the path.' }),
    }),
    response: userWithRole,
    statuses: [200],
    errors: ['not_found', 'forbidden', 'owner_role_fixed'],
    throttle: throttles.write,
  },
});
