import { authorize, authorizeWrite } from '#shared/auth/standing.ts';
import { workspaceAsRead, workspaces } from '#shared/contract/workspaces.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { changedFields, divide, isEmpty } from '#shared/http/unchanged.ts';
import { updateWorkspace } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(workspaces.update, async ({ params, body, caller, match, now }) => {
  const { workspace_id } = params;
  const { changes, asRead } = divide(body, workspaceAsRead);
  if (match || isEmpty(changes) || !isEmpty(asRead)) {
    const { workspace } = await authorize(caller, 'workspace:update', workspace_id);
    const shown = viewWorkspace(workspace, caller.project);
    match?.(workspace, shown);
    const errors = changedFields(asRead, shown);
    if (errors.length > 0) throw new Failure('invalid_request', { errors });
    if (isEmpty(changes)) return shown;
  } else await authorizeWrite(caller, 'workspace:update', workspace_id);
  return updateWorkspace(caller.project_id, workspace_id, changes, now).as((workspace) =>
    viewWorkspace(workspace, caller.project),
  );
});
