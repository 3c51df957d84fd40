import type { UserItem } from '../identity/users.ts';
import { domainOf } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
import { isProven } from './domain-modes.ts';
import type { WorkspaceItem } from './items.ts';
import { isMailboxProvider } from './mailbox-providers.ts';

/** What a person is told who claims a domain under which anybody can have a mailbox. */
export const sharedDomain = 'Must not be a domain under which anybody can have a mailbox';

/** Whether a person may not claim the domain for any workspace; unless it was proven after all. */
export const isShared = (workspace: WorkspaceItem, domain: string): boolean =>
  isMailboxProvider(domain) && !isProven(workspace, domain);

/**
 * Throws `forbidden` unless the person may put these domains on the workspace: those that are there already, those
 * that are proven, and that of their own verified e-mail. Else anyone could put a foreign company's domain on a
 * workspace and wait for its people. Returns the person where it is their e-mail that allows one of them.
 */
export function requireClaims(
  user: UserItem | undefined,
  workspace: WorkspaceItem,
  domains: readonly string[],
): UserItem | undefined {
  const own = user?.verified.email ? domainOf(user.email) : undefined;
  const claimed = domains.filter(
    (domain) => !workspace.allowed_domains.includes(domain) && !isProven(workspace, domain),
  );
  if (claimed.some((domain) => domain !== own))
    throw new ApiError('forbidden', {
      detail:
        'A person may add only the domain of their own verified e-mail, or one that is proven',
    });
  return claimed.length > 0 ? user : undefined;
}
