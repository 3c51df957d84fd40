import { readOnlyWorkspaceFields, workspaces } from '#shared/contract/workspaces.ts';
import { changedFields, divide, isEmpty } from '#shared/http/changed-fields.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authorize, authorizeForWrite } from '#shared/workspaces/authorize.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { updateWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(workspaces.update, async ({ params, body, caller, match, now }) => {
  const { workspace_id } = params;
  const { changes, asRead } = divide(body, readOnlyWorkspaceFields);
  if (match || isEmpty(changes) || !isEmpty(asRead)) {
    const { workspace } = await authorize(caller, 'workspace:update', workspace_id);
    const shown = toWorkspace(workspace, caller.project);
    match?.(workspace, shown);
    const errors = changedFields(asRead, shown);
    if (errors.length > 0) throw new ApiError('invalid_request', { errors });
    if (isEmpty(changes)) return shown;
  } else await authorizeForWrite(caller, 'workspace:update', workspace_id);
  return updateWorkspace(caller.project_id, workspace_id, changes, now).as((workspace) =>
    toWorkspace(workspace, caller.project),
  );
});
