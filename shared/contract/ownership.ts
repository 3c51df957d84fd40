import * as z from 'zod';
import { uid, workspaceId } from '../model/fields.ts';
import { workspace } from '../model/workspace-resources.ts';
import { group } from './route.ts';

const params = z.strictObject({ workspace_id: workspaceId });

export const ownership = group('ownership', {
  offer: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/ownership',
    summary:
      'Offer the ownership of the workspace to one of its admins. Called by the backend: transfer it at once.',
    auth: ['project', 'access'],
    notByActor: true,
    recentSignIn: true,
    params,
    body: z.strictObject({
      user_id: uid.meta({ description: 'An accepted admin; replaces an earlier offer.' }),
    }),
    response: workspace,
    etag: true,
    errors: ['not_found', 'forbidden', 'ownership_needs_admin', 'owned_workspace_limit_reached'],
  },
  accept: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/ownership/accept',
    summary: 'Accept the ownership; the previous owner stays an admin.',
    auth: ['access'],
    notByActor: true,
    params,
    response: workspace,
    etag: true,
    errors: ['not_found', 'forbidden', 'owned_workspace_limit_reached'],
  },
  end: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/ownership',
    summary: 'Withdraw or decline the offer.',
    auth: ['project', 'access'],
    notByActor: true,
    params,
    response: workspace,
    etag: true,
    errors: ['not_found', 'forbidden'],
  },
});
