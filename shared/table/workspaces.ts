import { notFound } from '../errors.ts';
import { newWorkspaceId } from '../ids.ts';
import type { Item } from './item.ts';
import { newMember } from './members.ts';
import { getItem } from './read.ts';
import { byDomain, keys } from './shape.ts';
import { asRead, type UserItem } from './users.ts';
import {
  check,
  type Changes,
  ConditionFailed,
  type Condition,
  create,
  put,
  remove,
  transact,
  update,
  updateItem,
  where,
  type Write,
} from './write.ts';

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
  /** Accepted members, exactly: counted in the transaction of each membership. */
  total_member_count: number;
  /** Pending invitations, exactly. */
  pending_member_count: number;
  created_at: string;
  modified_at: string;
  deleted_at?: string;
};

/** DynamoDB's limit of items in one transaction. */
const transactionLimit = 100;

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

/** Creates a workspace with its owner as the first member, an admin; all or nothing. */
export async function createWorkspace(
  owner: UserItem,
  given: { name: string; logo?: string | null | undefined; description?: string | undefined },
  now: Date,
): Promise<WorkspaceItem> {
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
  await transact({
    workspace: create(workspace),
    member: create(member),
    owner: check(keys.user(owner.uid), asRead(owner)),
  });
  return workspace;
}

/** Changes a workspace and returns it as it is now. Throws `not_found`. */
export async function updateWorkspace(
  project_id: string,
  workspace_id: string,
  given: {
    name?: string | undefined;
    logo?: string | null | undefined;
    description?: string | undefined;
  },
  now: Date,
): Promise<WorkspaceItem> {
  const { name, logo, description } = given;
  const changes: Changes = {
    set: {
      name,
      logo_url: logo || undefined,
      description: description || undefined,
      modified_at: now.toISOString(),
    },
    remove: [
      ...(logo === null || logo === '' ? ['logo_url'] : []),
      ...(description === '' ? ['description'] : []),
    ],
  };
  return change(workspace_id, changes, exists(project_id));
}

/** Deletes a workspace, and returns it: gone from every read from now on. Throws `not_found`. */
export async function deleteWorkspace(
  project_id: string,
  workspace_id: string,
  now: Date,
): Promise<WorkspaceItem> {
  const deleted_at = now.toISOString();
  return change(workspace_id, { set: { deleted_at, modified_at: deleted_at } }, exists(project_id));
}

async function change(
  workspace_id: string,
  changes: Changes,
  condition: Condition,
): Promise<WorkspaceItem> {
  try {
    return (await updateItem(keys.workspace(workspace_id), changes, condition)) as WorkspaceItem;
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound() : error;
  }
}

/**
 * Sets the allowed domains of a workspace and the items by which they are found, all or nothing.
 * Throws `StaleRead` if the domains changed since the workspace was read.
 */
export async function setAllowedDomains(
  workspace: WorkspaceItem,
  domains: string[],
  now: Date,
): Promise<WorkspaceItem> {
  const { project_id, workspace_id } = workspace;
  const added = domains.filter((domain) => !workspace.allowed_domains.includes(domain));
  const removed = workspace.allowed_domains.filter((domain) => !domains.includes(domain));
  const unchanged = where(
    '#project_id = :project_id AND attribute_not_exists(#deleted_at) AND #allowed_domains = :seen',
    { project_id, seen: workspace.allowed_domains },
  );
  const set = { allowed_domains: domains, modified_at: now.toISOString() };
  const writes: [string, Write][] = [
    ['workspace', update(keys.workspace(workspace_id), { set }, unchanged)],
    ...added.map((domain): [string, Write] => [
      `+${domain}`,
      put({ ...keys.domain(workspace_id, domain), ...byDomain(project_id, domain, workspace_id) }),
    ]),
    ...removed.map((domain): [string, Write] => [
      `-${domain}`,
      remove(keys.domain(workspace_id, domain)),
    ]),
  ];
  // 50 exchanged for 50 others is one write too many. A domain item that is left over finds a workspace whose
  // own list no longer names the domain, which is what decides.
  await transact(Object.fromEntries(writes.slice(0, transactionLimit)));
  return { ...workspace, ...set };
}
