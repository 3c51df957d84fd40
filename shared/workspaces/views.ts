import { joiningUrl } from '../access/hosted-pages.ts';
import type { Project } from '../access/projects.ts';
import { prefixes } from '../db/key-prefixes.ts';
import type { UserData } from '../identity/users/users.ts';
import { toUser } from '../identity/users/views.ts';
import { fieldsOf } from '../metadata/stored.ts';
import type { User } from '../model/user-resources.ts';
import type {
  DeletedWorkspace,
  Invitation,
  ListedMember,
  Member,
  RequestedWorkspace,
  SameDomainWorkspace,
  Workspace,
} from '../model/workspace-resources.ts';
import { isProven, modeOf } from './domains/modes.ts';
import { asInvited } from './invitations/invitations.ts';
import { type InvitationItem, isOpen, type MemberItem, type WorkspaceItem } from './items.ts';
import type { ListedMemberItem } from './members/members.ts';
import { profileOf } from './members/profile-projection.ts';
import type { ShownWorkspaceItem } from './workspaces.ts';

/** A caller who reads members of a workspace: who does not see all of everybody sees all of themselves alone. */
export type Reader = {
  /** The member who reads. Undefined for a backend and for a key of the workspace. */
  uid?: string;
  seesAll: boolean;
};

/** A workspace as the interface shows it. */
export function toWorkspace(item: ShownWorkspaceItem, project: Project): Workspace {
  return {
    workspace_id: item.workspace_id,
    project_id: item.project_id,
    name: item.name,
    invitation_url: invitationUrl(item, project),
    ...(item.logo_url !== undefined && { logo_url: item.logo_url }),
    owner_id: item.owner_id,
    owner_email: item.owner_email,
    created_at: item.created_at,
    modified_at: item.modified_at,
    allowed_domains: item.allowed_domains,
    ...(item.description !== undefined && { description: item.description }),
    total_member_count: item.total_member_count,
    ...(item.offered_to !== undefined && { ownership_offered_to: item.offered_to }),
    ...(item.external_id !== undefined && { external_id: item.external_id }),
    ...(item.mfa_required_at !== undefined && {
      require_mfa: true,
      mfa_required_at: item.mfa_required_at,
    }),
  };
}

/**
 * A deleted workspace: `allowed_domain` instead of `allowed_domains`, with `deleted_at`, without `owner_email`,
 * `logo_url`, and the external id, which is free again.
 */
export function toDeletedWorkspace(item: WorkspaceItem, project: Project): DeletedWorkspace {
  const { external_id: _, ...without } = item;
  const {
    allowed_domains,
    owner_email: __,
    logo_url: ___,
    ...rest
  } = toWorkspace(without, project);
  return { ...rest, allowed_domain: allowed_domains, deleted_at: item.deleted_at ?? '' };
}

/** The part of a workspace that a user who may join it sees. */
function toJoinableWorkspace(item: WorkspaceItem) {
  return {
    workspace_id: item.workspace_id,
    project_id: item.project_id,
    name: item.name,
    ...(item.logo_url !== undefined && { logo_url: item.logo_url }),
    ...(item.description !== undefined && { description: item.description }),
    total_member_count: item.total_member_count,
  };
}

export const toSameDomainWorkspace = (
  item: WorkspaceItem,
  domain: string,
): SameDomainWorkspace => ({
  ...toJoinableWorkspace(item),
  domain,
  mode: modeOf(item, domain) === 'suggest' ? 'suggest' : 'auto',
  ...(isProven(item, domain) && { proven: true }),
});

export const toRequestedWorkspace = (
  item: WorkspaceItem,
  requested_at: string,
): RequestedWorkspace => ({ ...toJoinableWorkspace(item), requested_at });

/** A membership as the interface shows it. */
export function toMember(item: MemberItem): Member {
  return {
    member_id: item.member_id,
    workspace_id: item.workspace_id,
    email: profileOf(item).email,
    inviter_id: item.inviter_id,
    inviter_email: item.inviter_email,
    status: item.sk.startsWith(prefixes.pending) ? 'pending' : 'accepted',
    role: item.role,
    created_at: item.created_at,
    modified_at: item.modified_at,
    user_id: item.user_id,
    ...(item.suspended_at !== undefined && { suspended: true }),
    ...fieldsOf(item),
  };
}

const seesAllOf = ({ uid, seesAll }: Reader, member: string): boolean => seesAll || member === uid;

/** A member as the reader may see it: a plain member sees no metadata of others. */
export const toMemberFor =
  (reader: Reader) =>
  (item: MemberItem): Member => {
    const { app_metadata, ...member } = toMember(item);
    const isShown = app_metadata !== undefined && seesAllOf(reader, member.user_id);
    return isShown ? { ...member, app_metadata } : member;
  };

/**
 * A user as the reader may see them: a plain member does not see the sign-in methods, the last sign-in or the agreed
 * terms of others.
 */
export function toUserFor(reader: Reader, item: UserData): User {
  const user = toUser(item);
  if (seesAllOf(reader, user.uid)) return user;
  const { last_sign_in_at: _, agreed_terms: __, ...rest } = user;
  return { ...rest, sign_in_methods: {} };
}

/** An element of a member list as the reader may see it: the profile copy with the member's role and id. */
export const toListedMemberFor =
  (reader: Reader) =>
  (item: ListedMemberItem): ListedMember => {
    const { project_id, role, member_id, suspended_at } = item;
    return {
      ...toUserFor(reader, { ...profileOf(item), uid: item.user_id, project_id }),
      role,
      member_id,
      ...(suspended_at !== undefined && { suspended: true }),
    };
  };

/** An invitation, without its link. Its e-mail is the one that it was sent to, also if the user has another now. */
export function toInvitation(item: InvitationItem, now: Date): Invitation {
  return {
    ...toMember(asInvited(item)),
    state: isOpen(item, now) ? 'pending' : 'expired',
    expires_at: item.invitation_expires_at,
    ...(item.message !== undefined && { message: item.message }),
  };
}

/** The page where users join a workspace: with an invitation, or with a join link. */
export function invitationUrl(
  { project_id, workspace_id }: { project_id: string; workspace_id: string },
  project: Project,
  page: 'invitation' | 'join' = 'invitation',
): string {
  const url = new URL(joiningUrl(project, page));
  url.searchParams.set('project_id', project_id);
  url.searchParams.set('workspace_id', workspace_id);
  return url.href;
}

/** The same page with a token in the fragment, so that it never reaches a server, a log or a Referer header. */
export function invitationLink(
  of: { project_id: string; workspace_id: string },
  project: Project,
  token: string,
): string {
  const url = new URL(invitationUrl(of, project));
  url.hash = `token=${token}`;
  return url.href;
}
