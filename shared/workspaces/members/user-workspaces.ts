import { getAttributes } from '../../db/batch-loader.ts';
import { inChunks } from '../../db/batch-write.ts';
import { archivedPrefix, byDomain, byMember } from '../../db/index-attributes.ts';
import { prefixes } from '../../db/key-prefixes.ts';
import { keys, workspaceIdOf } from '../../db/keys.ts';
import { pageOf } from '../../db/page.ts';
import { query, type Range } from '../../db/query.ts';
import { normal } from '../../directory/terms.ts';
import type { UserItem } from '../../identity/users/users.ts';
import type { Role, Status } from '../../model/fields.ts';
import { limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import { getInvitation, isOpenFor } from '../invitations/invitations.ts';
import { type InvitationItem, isOpen, type MemberItem, type WorkspaceItem } from '../items.ts';
import {
  getWorkspace,
  isLiveIn,
  type ShownWorkspaceItem,
  shownOfWorkspace,
} from '../workspaces.ts';
import { getMember } from './members.ts';

const byWorkspace = ({ workspace_id }: { workspace_id: string }) => workspace_id;

/** What a list shows of a membership, or decides by it. */
const shownOfMembership = ['role', 'suspended_at'] as const;
type ShownMembership = Pick<MemberItem, (typeof shownOfMembership)[number]>;

type MembershipFilter = { role?: Role | undefined; name?: string | undefined };

/**
 * One page of the workspaces that a user has joined, in the order of their ids, which is that of their creation. The
 * index finds them; each workspace and membership is then read consistently, so that deleted workspaces and ended
 * memberships never show, even if the index lags. A filter by name reads all of them.
 */
export async function listJoined(
  project_id: string,
  uid: string,
  { role, name }: MembershipFilter,
  page: Page,
): Promise<{ total: number; workspaces: ShownWorkspaceItem[]; next?: string | undefined }> {
  const { found } = await findMemberships(uid, 'accepted');
  const ofRole = found.filter((each) => role === undefined || each.role === role);
  const load = async (some: { workspace_id: string }[]) => {
    const joined = await readJoined(project_id, uid, some.map(byWorkspace));
    return joined
      .filter(({ member }) => member.suspended_at === undefined)
      .filter(({ member }) => role === undefined || member.role === role)
      .map(({ workspace }) => workspace);
  };
  if (name === undefined) {
    const { items, next } = pageOf(ofRole, page, byWorkspace);
    const workspaces = await load(items);
    return { total: ofRole.length - items.length + workspaces.length, workspaces, next };
  }
  const text = normal(name);
  const named = (await load(ofRole)).filter((each) => normal(each.name).includes(text));
  const { items, next } = pageOf(named, page, byWorkspace);
  return { total: named.length, workspaces: items, next };
}

/** A workspace with the user's invitation to it. */
type Invited = { workspace: WorkspaceItem; invitation: InvitationItem };

/**
 * One page of the workspaces with an open invitation for the user. A page may be short or empty and still have a `next`
 * one: no page reads all expired invitations, and expired ones never hide an open one.
 */
export async function listInvitationsOfUser(
  project_id: string,
  uid: string,
  { limit, after }: Omit<Page, 'offset'>,
  now: Date,
): Promise<{ invited: Invited[]; next?: string | undefined }> {
  const { found, more } = await findMemberships(uid, 'pending', {
    limit: maxInvitations,
    ...(after !== undefined && {
      after: { ...keys.invitation(after, uid), ...byMember('pending', uid, after) },
    }),
  });
  const ids = found.map(byWorkspace);
  const invited: Invited[] = [];
  for (const some of inChunks(ids, limits.page.max)) {
    const read = await Promise.all(
      some.map((id) => Promise.all([getWorkspace(project_id, id), getInvitation(id, uid)])),
    );
    for (const [workspace, invitation] of read)
      if (workspace && invitation && isOpen(invitation, now))
        invited.push({ workspace, invitation });
    if (invited.length > limit) break;
  }
  const page = invited.slice(0, limit);
  if (invited.length > limit) return { invited: page, next: page.at(-1)?.workspace.workspace_id };
  return { invited: page, next: more ? ids.at(-1) : undefined };
}

/** Invitations that one page reads at most. */
const maxInvitations = 1_000;

/**
 * True if two users are both active members of one workspace. The index finds up to a thousand workspaces of each user;
 * the consistent read of the table decides.
 */
export async function shareWorkspace(
  project_id: string,
  one: string,
  other: string,
): Promise<boolean> {
  const limit = limits.workspacesPerUser;
  const idsOf = async (uid: string) =>
    (await findMemberships(uid, 'accepted', { limit })).found.map(byWorkspace);
  const [ours, theirs] = await Promise.all([idsOf(one), idsOf(other)]);
  const theirIds = new Set(theirs);
  const shared = ours.filter((id) => theirIds.has(id)).slice(0, maxShared);
  const stand = await Promise.all(
    shared.map(async (id) => {
      const [workspace, ...both] = await Promise.all([
        getWorkspace(project_id, id),
        getMember(id, one),
        getMember(id, other),
      ]);
      return workspace && both.every((member) => member && member.suspended_at === undefined);
    }),
  );
  return stand.some(Boolean);
}

/**
 * How many memberships of a user end with deleted workspaces, at most `limit`: their owners may restore these all at
 * once, whatever the user has by then.
 */
export async function countArchived(uid: string, limit: number): Promise<number> {
  const partition = keys.user(uid).pk;
  const prefix = `${archivedPrefix}${prefixes.accepted}`;
  return (await query({ index: 'by-member', partition, prefix, limit, attributes: ['sk'] })).items
    .length;
}

/** Shared workspaces that one batch can read with both memberships. The index is outdated for a few of them at most. */
const maxShared = 33;

/**
 * The ids of the workspaces that allow an e-mail domain, according to the index: the first 100, and whether there may be
 * `more`.
 */
export async function findByDomain(
  project_id: string,
  domain: string,
): Promise<{ ids: string[]; more: boolean }> {
  const { by_email_pk } = byDomain(project_id, domain, '');
  const { items, more } = await query({
    index: 'by-email',
    partition: by_email_pk,
    prefix: keys.workspace('').pk,
    limit: limits.page.max,
  });
  return { ids: items.map(workspaceIdOf), more };
}

/** The workspaces of `workspace_ids` that allow the domain and that the user has neither joined nor is invited to. */
export async function listJoinableByDomain(
  user: UserItem,
  domain: string,
  workspace_ids: string[],
  now: Date,
): Promise<WorkspaceItem[]> {
  const read = await Promise.all(
    workspace_ids.map(async (id) => {
      const [workspace, member, invitation] = await Promise.all([
        getWorkspace(user.project_id, id),
        getMember(id, user.uid),
        getInvitation(id, user.uid),
      ]);
      const open = invitation && isOpenFor(invitation, user, now);
      return !member && !open && workspace?.allowed_domains.includes(domain)
        ? workspace
        : undefined;
    }),
  );
  return read.filter((workspace) => workspace !== undefined);
}

/**
 * A user's memberships or invitations according to the index, in the order of the workspaces' ids, starting after one.
 */
async function findMemberships(
  uid: string,
  status: Status,
  range: Pick<Range, 'limit' | 'after'> = {},
): Promise<{ found: { workspace_id: string; role: Role }[]; more: boolean }> {
  const { items, more } = await query<{ by_member_sk: string; role: Role }>({
    index: 'by-member',
    partition: keys.user(uid).pk,
    prefix: prefixes[status],
    // A third of what an entry of the index has.
    attributes: ['by_member_sk', 'role'],
    ...range,
  });
  const found = items.map(({ by_member_sk, role }) => ({
    workspace_id: by_member_sk.slice(prefixes[status].length),
    role,
  }));
  return { found, more };
}

/** The workspaces that stand, each with the membership of the user. */
async function readJoined(project_id: string, uid: string, workspace_ids: string[]) {
  const itemKeys = workspace_ids.flatMap((id) => [keys.workspace(id), keys.member(id, uid)]);
  const read = await getAttributes<ShownWorkspaceItem & ShownMembership>(itemKeys, [
    ...shownOfWorkspace,
    ...shownOfMembership,
  ]);
  return workspace_ids.flatMap((_, i) => {
    const [workspace, member] = read.slice(2 * i, 2 * i + 2);
    return workspace && isLiveIn(project_id, workspace) && member ? [{ workspace, member }] : [];
  });
}
