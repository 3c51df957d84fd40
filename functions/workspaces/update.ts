import { readOnlyWorkspaceFields, workspaces } from '#shared/contract/workspaces.ts';
import { changedFields, divide, isEmpty } from '#shared/http/changed-fields.ts';
import { changedExternalId } from '#shared/directory/external-ids.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authorize, authorizeForWrite } from '#shared/workspaces/authorize.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { updateByKey } from '#shared/workspaces/update-by-key.ts';
import { updateWithExternalId, updateWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(workspaces.update, async ({ params, body, caller, match, now }) => {
  const { workspace_id } = params;
  const { changes: given, asRead } = divide(body, readOnlyWorkspaceFields);
  const { external_id: sent, ...changes } = given;
  const view = (workspace: WorkspaceItem) => toWorkspace(workspace, caller.project);
  const { key } = caller;
  if (match || isEmpty(changes) || !isEmpty(asRead) || sent !== undefined || key) {
    const { workspace, manager } = await authorize(caller, 'workspace:update', workspace_id);
    const shown = view(workspace);
    match?.(workspace, shown);
    const errors = changedFields(asRead, shown);
    if (errors.length > 0) throw new ApiError('invalid_request', { errors });
    const external_id = changedExternalId(sent, workspace);
    if (external_id !== undefined) {
      if (caller.kind !== 'project')
        throw new ApiError('forbidden', {
          detail: "Only the project's backend may change an external id",
        });
      return updateWithExternalId(workspace, { ...changes, external_id }, now).as(view);
    }
    if (isEmpty(changes)) return shown;
    if (key) return updateByKey(workspace, changes, manager, now).as(view);
  } else await authorizeForWrite(caller, 'workspace:update', workspace_id);
  return updateWorkspace(caller.project_id, workspace_id, changes, now).as(view);
});
