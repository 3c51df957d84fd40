import type { UserItem } from '../identity/users.ts';
import { domainOf } from '../model/email.ts';
import { domainsUnchanged } from './allowed-domains.ts';
import { isProven } from './domain-modes.ts';
import type { WorkspaceItem } from './items.ts';
import type { JoinRequestItem } from './join-requests.ts';
import { isLive } from './limited-collection.ts';
import type { NewMembership } from './members.ts';
import { shareWorkspace } from './user-workspaces.ts';

/**
 * Why a person may add a user without asking them first, with what must hold of the workspace at the commit; undefined
 * where the user is a stranger to them, who is invited instead. It is no stranger who has asked to join, has a verified
 * e-mail in a domain that the workspace has proven, or is in another workspace together with the person.
 */
export async function addingWithoutConsent(
  workspace: WorkspaceItem,
  user: UserItem,
  request: JoinRequestItem | undefined,
  person: string,
  now: Date,
): Promise<Pick<NewMembership, 'condition'> | undefined> {
  if (request && isLive(request, now)) return {};
  if (user.verified.email && isProven(workspace, domainOf(user.email)))
    return { condition: domainsUnchanged(workspace) };
  return (await shareWorkspace(workspace.project_id, person, user.uid)) ? {} : undefined;
}
