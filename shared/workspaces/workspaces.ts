import { getItem } from '../db/batch-loader.ts';
import {
  both,
  type Change,
  type Changes,
  type Condition,
  change,
  create,
  update,
  where,
} from '../db/change.ts';
import type { Item } from '../db/item.ts';
import { modifyItem } from '../db/modified-at.ts';
import { telling, toldOf } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { asRead, type UserItem } from '../identity/users.ts';
import { Failure, notFound } from '../model/errors.ts';
import { newWorkspaceId } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import type { OpenMode } from './domain-modes.ts';
import { newMember } from './members.ts';

export type WorkspaceItem = Item & {
  workspace_id: string;
  project_id: string;
  name: string;
  logo_url?: string;
  description?: string;
  owner_id: string;
  owner_email: string;
  /** The owner's `version` that `owner_email` is of. */
  owner_version: number;
  allowed_domains: string[];
  /** The mode of each allowed domain; none on items of before there were modes. */
  domain_modes?: Record<string, OpenMode>;
  /** When each domain that was proven was, allowed or not. */
  proven_domains?: Record<string, string>;
  /** At least the live join links, and the open requests: what expires is counted off where they are counted anew. */
  join_link_count?: number;
  join_request_count?: number;
  /** Accepted members, exactly: counted in the transaction of each membership. */
  total_member_count: number;
  /** How many invitations were mailed on the last day (UTC) on which any was. */
  mail_day?: string;
  mailed_count?: number;
  /** Pending invitations, exactly. */
  pending_member_count: number;
  created_at: string;
  modified_at: string;
  deleted_at?: string;
  /** The admin whom the owner offers the workspace to, and as which membership. */
  offered_to?: string;
  offered_member_id?: string;
  /** Who became the owner by accepting, so that a second click is answered like the first. */
  accepted_by?: string;
};

/** Holds where a workspace exists in a project. */
const exists = (project_id: string): Condition =>
  where('#project_id = :project_id AND attribute_not_exists(#deleted_at)', { project_id });

/** The workspace, or undefined where there is none in this project or it was deleted. */
export async function getWorkspace(
  project_id: string,
  workspace_id: string,
): Promise<WorkspaceItem | undefined> {
  const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
  return workspace?.project_id === project_id && workspace.deleted_at === undefined
    ? workspace
    : undefined;
}

/** The workspace. Throws `not_found` where there is none in this project or it was deleted. */
export async function requireWorkspace(
  project_id: string,
  workspace_id: string,
): Promise<WorkspaceItem> {
  const workspace = await getWorkspace(project_id, workspace_id);
  if (!workspace) throw notFound();
  return workspace;
}

export const ownerOf = ({ owner_id, owner_email }: WorkspaceItem) => ({
  uid: owner_id,
  email: owner_email,
});

const hasRoom = where('#workspace_count < :most AND #owned_workspace_count < :most_owned', {
  most: limits.workspacesPerUser,
  most_owned: limits.ownedWorkspacesPerUser,
});

/**
 * Creates a workspace with its owner as the first member, an admin; all or nothing. Refused with
 * `workspace_limit_reached` or `owned_workspace_limit_reached`.
 */
export function createWorkspace(
  owner: UserItem,
  given: { name: string; logo?: string | null | undefined; description?: string | undefined },
  now: Date,
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
      workspace: create(toldOf(workspace, { type: 'workspace.created' })),
      member: create(member),
      owner: update<UserItem>(
        keys.user(owner.uid),
        { count: { workspace_count: 1, owned_workspace_count: 1 } },
        both(asRead(owner), hasRoom),
      ),
    },
    workspace,
    ({ owner: found }) => {
      if ((found?.owned_workspace_count ?? 0) >= limits.ownedWorkspacesPerUser)
        return new Failure('owned_workspace_limit_reached');
      if ((found?.workspace_count ?? 0) >= limits.workspacesPerUser)
        return new Failure('workspace_limit_reached');
      return undefined;
    },
  );
}

/** Changes a workspace, and results in it as it is then. Refused with `not_found`. */
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
  return modifyItem<WorkspaceItem>(
    {
      key: keys.workspace(workspace_id),
      changes: telling(changes, { type: 'workspace.updated' }),
      condition: exists(project_id),
    },
    now,
    () => getWorkspace(project_id, workspace_id),
    notFound,
  );
}
