import { readOnlyWorkspaceFields } from '#shared/contract/workspace-fields.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { changedExternalId } from '#shared/directory/external-ids.ts';
import { changedFields, divide, isEmpty } from '#shared/http/changed-fields.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';
import { changedMfa } from '#shared/workspaces/second-factor-setting.ts';
import { updateByKey } from '#shared/workspaces/update-by-key.ts';
import { updateWithExternalId, updateWorkspace } from '#shared/workspaces/update-workspace.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.update, async ({ params, body, caller, match, now }) => {
  const { workspace_id } = params;
  const { changes: fields, readOnly } = divide(body, readOnlyWorkspaceFields);
  const { external_id: sent, require_mfa, mfa_grace_days, ...plain } = fields;
  const mfa = { require_mfa, mfa_grace_days };
  const view = (workspace: WorkspaceItem) => toWorkspace(workspace, caller.project);
  const isPlain = sent === undefined && isEmpty(mfa) && isEmpty(readOnly) && !isEmpty(plain);
  // A backend may change every workspace of its project, which the write itself checks.
  if (!match && isPlain && caller.kind === 'project')
    return updateWorkspace(caller.project_id, workspace_id, plain, now).as(view);

  const authorized = await authorize(caller, 'workspace:update', workspace_id);
  const { workspace, principal } = authorized;
  const current = view(workspace);
  match?.(workspace, current);
  const errors = changedFields(readOnly, current);
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  const external_id = changedExternalId(sent, workspace);
  const mfa_required_at = await changedMfa(caller, authorized, mfa, now);
  const changes = { ...plain, ...(mfa_required_at !== undefined && { mfa_required_at }) };
  if (external_id !== undefined) {
    if (caller.kind !== 'project')
      throw new ApiError('forbidden', {
        detail: "Only the project's backend may change an external id",
      });
    return updateWithExternalId(workspace, { ...changes, external_id }, now).as(view);
  }
  if (isEmpty(changes)) return current;
  if (caller.key) return updateByKey(workspace, changes, principal, now).as(view);
  const update = updateWorkspace(caller.project_id, workspace_id, changes, now);
  // A caller who has lost the ownership meanwhile must not change it.
  return (mfa_required_at === undefined ? update : update.expecting([workspace])).as(view);
});
