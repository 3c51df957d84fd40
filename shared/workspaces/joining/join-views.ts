import type { Project } from '../../access/projects.ts';
import type { Domain } from '../../contract/domains.ts';
import type { JoinLink } from '../../contract/join-links.ts';
import type { JoinRequest, ListedJoinRequest } from '../../contract/join-requests.ts';
import type { UserItem } from '../../identity/users/users.ts';
import { toUser } from '../../identity/users/views.ts';
import { domainRecord, modeOf, provenAt } from '../domains/modes.ts';
import type { WorkspaceItem } from '../items.ts';
import { invitationUrl } from '../views.ts';
import type { JoinLinkItem } from './join-links.ts';
import type { JoinRequestItem } from './join-requests.ts';

/** A domain as admins of the workspace see it, allowed or not. */
export function toDomain(item: WorkspaceItem, domain: string): Domain {
  const proven_at = provenAt(item, domain);
  return {
    domain,
    mode: modeOf(item, domain),
    ...(proven_at !== undefined && { proven_at }),
    record: domainRecord(item, domain),
  };
}

/** A join request as the interface shows it. */
export function toJoinRequest(item: JoinRequestItem): JoinRequest {
  const { workspace_id, user_id, message, created_at } = item;
  return { workspace_id, user_id, ...(message !== undefined && { message }), created_at };
}

/** A join request with the current profile of its user. */
export const toListedJoinRequest = (item: JoinRequestItem, user: UserItem): ListedJoinRequest => ({
  ...toJoinRequest(item),
  user: toUser(user),
});

/** A join link as the interface shows it, without its token. */
export function toJoinLink(item: JoinLinkItem): JoinLink {
  const { link_id, workspace_id, role, restrict_to_allowed_domains, use_count } = item;
  const { max_uses, created_by, created_at } = item;
  return {
    link_id,
    workspace_id,
    role,
    restrict_to_allowed_domains,
    use_count,
    ...(max_uses !== undefined && { max_uses }),
    ...(created_by !== undefined && { created_by }),
    created_at,
    expires_at: item.ends_at,
  };
}

/** The URL of a join link. The token is in the fragment, so it never reaches a server, a log or a Referer header. */
export function joinLinkUrl(workspace: WorkspaceItem, project: Project, token: string): string {
  const url = new URL(invitationUrl(workspace, project, 'join'));
  url.hash = `join=${token}`;
  return url.href;
}
