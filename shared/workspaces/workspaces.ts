import { getItem } from '../db/batch-loader.ts';
import { type Change, type Changes, change, create, update } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { updateMonotonic } from '../db/modified-at.ts';
import type { RateLimitWrite } from '../db/rate-limits.ts';
import { itemWithEvents, withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { type UserItem, unchangedSince } from '../identity/users.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { newWorkspaceId } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import type { WorkspaceItem } from './items.ts';
import { newMember } from './members.ts';

/** True while the workspace exists in the project. */
const exists = (project_id: string): Condition =>
  where('#project_id = :project_id AND attribute_not_exists(#deleted_at)', { project_id });

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

const belowBothLimits = where('#workspace_count < :most AND #owned_workspace_count < :most_owned', {
  most: limits.workspacesPerUser,
  most_owned: limits.ownedWorkspacesPerUser,
});

/**
 * Creates a workspace with its owner as the first member, an admin, all or nothing. Refused with
 * `workspace_limit_reached` or `owned_workspace_limit_reached`, or the error of a rate limit.
 */
export function createWorkspace(
  owner: UserItem,
  given: { name: string; logo?: string | null | undefined; description?: string | undefined },
  now: Date,
  rate?: RateLimitWrite,
): Change<WorkspaceItem> {
  const workspace_id = newWorkspaceId(now);
  const workspace: WorkspaceItem = {
    ...keys.workspace(workspace_id),
    workspace_id,
    project_id: owner.project_id,
    name: given.name,
    ...(given.logo && { logo_url: given.logo }),
    ...(given.description && { description: given.description }),
    owner_id: owner.uid,
    owner_email: owner.email,
    owner_version: owner.version,
    allowed_domains: [],
    total_member_count: 1,
    pending_member_count: 0,
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
  };
  const member = newMember('accepted', workspace, owner, 'admin', owner, now);
  return change(
    {
      workspace: create(itemWithEvents(workspace, { type: 'workspace.created' })),
      member: create(member),
      owner: update<UserItem>(
        keys.user(owner.uid),
        { increment: { workspace_count: 1, owned_workspace_count: 1 } },
        and(unchangedSince(owner), belowBothLimits),
      ),
      rate: rate?.write,
    },
    workspace,
    ({ owner: found, ...failed }) => {
      if ((found?.owned_workspace_count ?? 0) >= limits.ownedWorkspacesPerUser)
        return new ApiError('owned_workspace_limit_reached');
      if ((found?.workspace_count ?? 0) >= limits.workspacesPerUser)
        return new ApiError('workspace_limit_reached');
      return rate && 'rate' in failed ? rate.refusal : undefined;
    },
  );
}

/** Changes a workspace and returns the new item. Refused with `not_found`. */
export function updateWorkspace(
  project_id: string,
  workspace_id: string,
  given: {
    name?: string | undefined;
    logo?: string | null | undefined;
    description?: string | undefined;
  },
  now: Date,
): Change<WorkspaceItem> {
  const { name, logo, description } = given;
  const changes: Changes = {
    set: {
      name,
      logo_url: logo || undefined,
      description: description || undefined,
    },
    remove: [
      ...(logo === null || logo === '' ? ['logo_url'] : []),
      ...(description === '' ? ['description'] : []),
    ],
  };
  return updateMonotonic<WorkspaceItem>(
    {
      key: keys.workspace(workspace_id),
      changes: withEvents(changes, { type: 'workspace.updated' }),
      condition: exists(project_id),
    },
    now,
    () => getWorkspace(project_id, workspace_id),
    () => notFound('no such workspace'),
  );
}
