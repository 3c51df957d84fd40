import * as z from 'zod';
import { email } from '../email.ts';
import { member, role, workspaceId } from '../model.ts';
import { group, throttles } from './route.ts';

export const invitations = group('invitations', {
  create: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/invitations',
    summary: 'Invite an e-mail to a workspace, creating its user if there is none.',
    auth: ['project', 'access'],
    params: z.strictObject({ workspace_id: workspaceId }),
    body: z.strictObject({ email, role }),
    response: member,
    statuses: [201],
    errors: [
      'not_found',
      'forbidden',
      'already_member',
      'invitation_exists',
      'invitation_limit_reached',
    ],
    throttle: throttles.write,
  },
});
