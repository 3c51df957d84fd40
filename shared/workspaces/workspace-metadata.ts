import { getItem } from '../db/batch-loader.ts';
import { type Change, change, update } from '../db/change.ts';
import { and, attributeUnchanged, existsInProject, where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import {
  changeMetadata,
  type Fields,
  fieldsOf,
  isSameMetadata,
  type MetadataItem,
  metadataAttributes,
} from '../metadata/stored.ts';
import { notFound } from '../model/errors.ts';
import type { MemberItem, WorkspaceItem } from './items.ts';
import { expectedMember, getMember } from './members/members.ts';
import { requireWorkspace } from './workspaces.ts';

export const getWorkspaceMetadata = (workspace_id: string): Promise<MetadataItem | undefined> =>
  getItem<MetadataItem>(keys.workspaceMetadata(workspace_id));

/** A workspace with its metadata, for the backend. Throws `not_found`. */
export async function requireWorkspaceMetadata(project_id: string, workspace_id: string) {
  const [workspace, stored] = await Promise.all([
    requireWorkspace(project_id, workspace_id),
    getWorkspaceMetadata(workspace_id),
  ]);
  return { workspace, stored, before: fieldsOf(stored) };
}

/** Changes the metadata of a workspace. Stale if it changed meanwhile. */
export const changeWorkspaceMetadata = (
  { workspace_id, project_id }: WorkspaceItem,
  stored: MetadataItem | undefined,
  after: Fields,
): Change<Fields> =>
  changeMetadata(
    {
      key: keys.workspaceMetadata(workspace_id),
      project_id,
      stored,
      holder: { key: keys.workspace(workspace_id), condition: existsInProject(project_id) },
      type: 'workspace.metadata_changed',
    },
    after,
  );

/** A member, for the backend. Throws `not_found`. */
export async function requireMember(
  project_id: string,
  workspace_id: string,
  user_id: string,
): Promise<MemberItem> {
  const [member] = await Promise.all([
    getMember(workspace_id, user_id),
    requireWorkspace(project_id, workspace_id),
  ]);
  if (!member) throw notFound('no such member');
  return member;
}

/**
 * Changes the metadata of a member, which is on the member item: it is small, and comes and goes with the membership.
 * Stale if it changed meanwhile, or the member is gone.
 */
export function changeMemberMetadata(
  member: MemberItem,
  after: Fields,
  now: Date,
): Change<MemberItem> {
  const { workspace_id, project_id, user_id, member_id } = member;
  const { app_metadata: seen, ...rest } = member;
  if (isSameMetadata('app_metadata', fieldsOf(member), after)) return change({}, member);
  const { app_metadata } = metadataAttributes(after);
  const set = { app_metadata, modified_at: modifiedAt(now, member) };
  const isThere = and(
    where('#member_id = :member_id', { member_id }),
    attributeUnchanged('app_metadata', seen),
  );
  // Not the content: the log and the feed of a workspace keep it for 90 days after the user is deleted.
  const data = { user_id, member_id, fields: ['app_metadata'] };
  return change(
    {
      workspace: update(
        keys.workspace(workspace_id),
        withEvents({}, { type: 'workspace.member.metadata_changed', data }),
        existsInProject(project_id),
      ),
      member: update(
        keys.member(workspace_id, user_id),
        { set, ...(app_metadata === undefined && { remove: ['app_metadata'] }) },
        and(isThere, notModifiedAfter(set.modified_at)),
      ),
    },
    { ...rest, ...set } as MemberItem,
    // The answer shows the whole member.
  ).expecting([expectedMember(member)]);
}
