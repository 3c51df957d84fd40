import { targetUserId } from '#shared/access/caller.ts';
import type { Project } from '#shared/access/projects.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { findByExternalId } from '#shared/directory/external-ids.ts';
import type { Span } from '#shared/directory/list.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyFound, replyPage } from '#shared/http/reply.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { ApiError, invalidField } from '#shared/model/errors.ts';
import { requireListing } from '#shared/workspaces/authorize.ts';
import { listJoined } from '#shared/workspaces/members/user-workspaces.ts';
import { listOfProject } from '#shared/workspaces/project-workspaces.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { getWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(workspaces.list, async ({ query, caller, page, now }) => {
  const { role, query: text, user_id, external_id, ...span } = query;
  const { project_id, project } = caller;
  if (caller.kind === 'project' && user_id === undefined) {
    if (external_id !== undefined) {
      const id = await findByExternalId('WORKSPACES', project_id, external_id);
      const workspace = id === undefined ? undefined : await getWorkspace(project_id, id);
      const result = workspace ? [toWorkspace(workspace, project)] : [];
      return replyFound(result, { total: result.length, more: false });
    }
    if (role !== undefined) throw invalidField('/query/role', 'Needs user_id');
    const found = await listOfProject(project_id, { ...span, text }, page, now);
    return replyFound(found.workspaces.map(viewFor(project)), found);
  }
  refuse({ ...span, external_id });
  requireListing(caller);
  const uid = targetUserId(caller, user_id);
  const [listed] = await Promise.all([
    listJoined(project_id, uid, { role, name: text }, page),
    caller.kind === 'project' ? requireUser(project_id, uid) : undefined,
  ]);
  return replyPage(listed.workspaces.map(viewFor(project)), {
    total: listed.total,
    next: listed.next,
  });
});

const viewFor = (project: Project) => (workspace: Parameters<typeof toWorkspace>[0]) =>
  toWorkspace(workspace, project);

/** The workspaces of a user are in the order of their ids. */
function refuse({
  order,
  created_after,
  created_before,
  external_id,
}: Span & { external_id: string | undefined }): void {
  const errors = Object.entries({ order, created_after, created_before, external_id })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({
      pointer: `/query/${name}`,
      detail: 'Only in the list of all workspaces of the project',
    }));
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
}
