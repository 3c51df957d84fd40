import { getItem } from '../db/batch-loader.ts';
import { keys } from '../db/keys.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { WorkspaceItem } from './items.ts';

/** The workspace. Undefined if it was deleted or is not in this project. */
export async function getWorkspace(
  project_id: string,
  workspace_id: string,
): Promise<WorkspaceItem | undefined> {
  const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
  return workspace && isLiveIn(project_id, workspace) ? workspace : undefined;
}

/** True if a workspace is of the project and was not deleted. */
export const isLiveIn = (
  project_id: string,
  workspace: Pick<WorkspaceItem, 'project_id' | 'deleted_at'>,
): boolean => workspace.project_id === project_id && workspace.deleted_at === undefined;

/** The error if a condition failed because the workspace was deleted after it was read. */
export const ifWorkspaceGone = ({
  workspace,
}: {
  workspace?: Pick<WorkspaceItem, 'deleted_at'> | null | undefined;
}): ApiError | undefined =>
  workspace === null || workspace?.deleted_at !== undefined
    ? notFound('the workspace was deleted meanwhile')
    : undefined;

/** Changes the refusal to somebody for whom a workspace that is gone must look like one that they may not see. */
export const hidesGone =
  (code: 'forbidden' | 'mail_token_invalid') =>
  (failure: ApiError): ApiError =>
    failure.code === 'not_found'
      ? new ApiError(code, { reason: 'the workspace was deleted meanwhile' })
      : failure;

/** The attributes that show a workspace, and whether it stands. */
export const shownOfWorkspace = [
  'workspace_id',
  'project_id',
  'name',
  'logo_url',
  'description',
  'owner_id',
  'owner_email',
  'allowed_domains',
  'total_member_count',
  'offered_to',
  'external_id',
  'mfa_required_at',
  'created_at',
  'modified_at',
  'deleted_at',
] as const;
export type ShownWorkspaceItem = Pick<WorkspaceItem, (typeof shownOfWorkspace)[number]>;

/** The workspace. Throws `not_found` if it was deleted or is not in this project. */
export async function requireWorkspace(
  project_id: string,
  workspace_id: string,
): Promise<WorkspaceItem> {
  const workspace = await getWorkspace(project_id, workspace_id);
  if (!workspace) throw notFound('no such workspace');
  return workspace;
}

export const ownerOf = ({ owner_id, owner_email }: WorkspaceItem) => ({
  uid: owner_id,
  email: owner_email,
});
