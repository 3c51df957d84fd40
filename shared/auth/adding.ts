import { isProven } from '../domains.ts';
import { domainOf } from '../email.ts';
import { domainsAsRead } from '../table/domains.ts';
import { isLive } from '../table/expiring.ts';
import type { JoinRequestItem } from '../table/join-requests.ts';
import type { Entry } from '../table/members.ts';
import { shareWorkspace } from '../table/memberships.ts';
import type { UserItem } from '../table/users.ts';
import type { WorkspaceItem } from '../table/workspaces.ts';

/**
 * Why a person may add a user without asking them first, with what must hold of the workspace at the commit; undefined
 * where the user is a stranger to them, who is invited instead. It is no stranger who has asked to join, has a verified
 * e-mail in a domain that the workspace has proven, or is in another workspace together with the person.
 */
export async function acquaintance(
  workspace: WorkspaceItem,
  user: UserItem,
  request: JoinRequestItem | undefined,
  person: string,
  now: Date,
): Promise<Pick<Entry, 'condition'> | undefined> {
  if (request && isLive(request, now)) return {};
  if (user.verified.email && isProven(workspace, domainOf(user.email)))
    return { condition: domainsAsRead(workspace) };
  return (await shareWorkspace(workspace.project_id, person, user.uid)) ? {} : undefined;
}
