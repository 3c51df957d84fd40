import * as z from 'zod';
import {
  externalId,
  externalIdOrNone,
  pagedAtLeast,
  role,
  uid,
  workspaceId,
} from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import {
  mergeMetadata,
  newWorkspaceMetadata,
  replaceMetadata,
  workspaceMetadata,
} from '../model/metadata.ts';
import { deletedWorkspace, joinableWorkspaces, workspace } from '../model/workspace-resources.ts';
import { creation, searchText } from './directory.ts';
import { alone, group, pageLimit, pageQuery } from './route.ts';
import {
  allowed_domains,
  description,
  logo,
  mfa_grace_days,
  readOnlyWorkspaceFields,
  require_mfa,
  workspaceName,
} from './workspace-fields.ts';

const params = z.strictObject({ workspace_id: workspaceId });

export const workspaces = group('workspaces', {
  create: {
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace owned by a user.',
    auth: ['project', 'access'],
    notByActor: true,
    body: z.strictObject({
      name: workspaceName,
      owner_id: uid.optional().meta({
        description: 'Required with Basic; with Bearer the caller, and nobody else.',
      }),
      logo: logo.optional(),
      description: description.optional(),
      external_id: externalId.optional(),
      require_mfa,
      mfa_grace_days,
      ...newWorkspaceMetadata,
    }),
    requiredWithBasic: ['owner_id'],
    response: workspace,
    statuses: [201],
    created: '/workspaces/{workspace_id}',
    etag: true,
    errors: [
      'not_found',
      'forbidden',
      'workspace_limit_reached',
      'owned_workspace_limit_reached',
      'external_id_taken',
      'mfa_required',
      'reauthentication_required',
    ],
  },
  list: {
    method: 'GET',
    path: '/workspaces',
    summary: 'The workspaces of a user, or all workspaces of the project.',
    auth: ['project', 'access'],
    query: z
      .strictObject({
        user_id: uid.optional().meta({
          description:
            'The user whose workspaces are listed, in the order of their ids. With Bearer it is the caller: anybody else is 404. With Basic and without `user_id`, all workspaces of the project are listed. Not together with order, a time of creation or external_id.',
        }),
        role: role.optional().meta({
          description:
            'Only workspaces in which the user has this role. With Basic it needs `user_id`.',
        }),
        ...creation,
        external_id: externalId.optional().meta({
          description:
            'Only the workspace of the project with this external id. Backend only. Not together with another filter, offset or cursor.',
        }),
        query: searchText.meta({
          description:
            'For a user: only workspaces whose name contains this text. For the project: only workspaces with a word in the name that starts with this text. Ignores case. Not together with order or a time of creation.',
        }),
        ...pageQuery,
      })
      .check(
        alone('offset', 'cursor'),
        alone(
          'external_id',
          ...['user_id', 'role', 'query', 'order', 'created_after', 'created_before'],
          ...['offset', 'cursor'],
        ),
        alone('user_id', 'order', 'created_after', 'created_before'),
        alone('query', 'order', 'created_after', 'created_before'),
      ),
    response: pagedAtLeast(workspace),
    errors: ['not_found'],
  },
  get: {
    method: 'GET',
    path: '/workspaces/{workspace_id}',
    summary: 'Get a workspace.',
    auth: ['project', 'access'],
    params,
    response: workspace,
    etag: true,
    errors: ['not_found'],
  },
  update: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}',
    summary:
      "Change a workspace's logo, name or description, or whether its members need a second factor.",
    auth: ['project', 'access'],
    params,
    body: z.strictObject({
      logo: logo.optional().meta({ description: 'An https URL; null or "" clears it.' }),
      name: workspaceName.optional(),
      description: description.optional().meta({ description: '"" clears it.' }),
      external_id: externalIdOrNone,
      require_mfa,
      mfa_grace_days,
      ...readOnlyWorkspaceFields,
    }),
    response: workspace,
    etag: true,
    ifMatch: workspace,
    errors: ['not_found', 'forbidden', 'external_id_taken', 'reauthentication_required'],
  },
  delete: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}',
    summary:
      'Delete a workspace. It disappears from every read at once and can be restored for 30 days.',
    auth: ['project', 'access'],
    notByActor: true,
    recentSignIn: true,
    params,
    response: deletedWorkspace,
    ifMatch: workspace,
    errors: ['not_found', 'forbidden'],
  },
  restore: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/restore',
    summary: 'Restore a workspace that was deleted in the last 30 days.',
    auth: ['project', 'access'],
    params,
    response: workspace,
    etag: true,
    errors: ['not_found', 'owned_workspace_limit_reached'],
  },
  getMetadata: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/metadata',
    summary: 'The metadata of a workspace: your own data.',
    auth: ['project', 'access'],
    params,
    response: workspaceMetadata,
    etag: true,
    errors: ['not_found', 'forbidden'],
  },
  setMetadata: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/metadata',
    summary: 'Replace objects of the metadata of a workspace.',
    auth: ['project'],
    params,
    body: replaceMetadata.workspace,
    response: workspaceMetadata,
    etag: true,
    ifMatch: workspaceMetadata,
    errors: ['not_found'],
  },
  mergeMetadata: {
    method: 'PATCH',
    path: '/workspaces/{workspace_id}/metadata',
    summary: 'Merge into the metadata of a workspace (RFC 7396).',
    auth: ['project'],
    params,
    body: mergeMetadata.workspace,
    response: workspaceMetadata,
    etag: true,
    ifMatch: workspaceMetadata,
    errors: ['not_found'],
  },
  setAllowedDomains: {
    method: 'PUT',
    path: '/workspaces/{workspace_id}/allowed_domains',
    summary: 'Set the e-mail domains whose users may join by themselves.',
    auth: ['project', 'access'],
    params,
    body: z.strictObject({ allowed_domains }),
    response: workspace,
    etag: true,
    ifMatch: workspace,
    errors: ['not_found', 'forbidden'],
  },
  listJoined: {
    method: 'GET',
    path: '/workspaces/joined/search',
    summary: 'The workspaces that the caller has joined.',
    auth: ['access'],
    query: z
      .strictObject({ ...pageQuery, limit: pageLimit(limits.page.max) })
      .check(alone('offset', 'cursor')),
    // A plain array has no total: a client that sends no limit expects every workspace.
    pageSize: limits.page.max,
    response: z.array(workspace),
  },
  listInvited: {
    method: 'GET',
    path: '/workspaces/invited/search',
    summary:
      "Workspaces the caller can join: invitations, workspaces open to the caller's e-mail domain, and open join requests.",
    auth: ['access'],
    query: z.strictObject({ limit: pageLimit(limits.page.max), cursor: pageQuery.cursor }),
    pageSize: limits.page.max,
    response: joinableWorkspaces,
  },
});
