import type { UserItem } from '../../identity/users/users.ts';
import { domainOf } from '../../model/email.ts';
import { limits } from '../../model/limits.ts';
import { domainsUnchanged } from '../domains/allowed-domains.ts';
import { isProven } from '../domains/modes.ts';
import { notRestoredSince, type WorkspaceItem } from '../items.ts';
import type { JoinRequestItem } from '../joining/join-requests.ts';
import { isLiveItem } from '../joining/limited-collection.ts';
import type { NewMembership } from './add-member.ts';
import { countArchived, shareWorkspace } from './user-workspaces.ts';

/**
 * Returns under which condition on the workspace a person may add this user without an invitation, or undefined if the
 * user is a stranger, who must be invited. A user is no stranger if they have a live join request, have a verified
 * e-mail in a domain that the workspace has verified, or share another workspace with the person. These may add them to
 * half of the workspaces that a user may have (`limits.workspacesUnasked`).
 *
 * @param person undefined for a key of the workspace, which knows nobody elsewhere: not even whom its owner knows
 */
export async function mayAddDirectly(
  workspace: WorkspaceItem,
  user: UserItem,
  request: JoinRequestItem | undefined,
  person: string | undefined,
  now: Date,
): Promise<Pick<NewMembership, 'condition' | 'mostWorkspaces'> | undefined> {
  if (request && isLiveItem(request, workspace, now))
    return { condition: notRestoredSince(workspace) };
  if (user.verified.email && isProven(workspace, domainOf(user.email)))
    return { condition: domainsUnchanged(workspace) };
  if (person === undefined) return undefined;
  const [isKnown, archived] = await Promise.all([
    shareWorkspace(workspace.project_id, person, user.uid),
    countArchived(user.uid, limits.workspacesUnasked),
  ]);
  const mostWorkspaces = limits.workspacesUnasked - archived;
  return isKnown && user.workspace_count < mostWorkspaces ? { mostWorkspaces } : undefined;
}
