import type { UserItem } from '../../identity/users/users.ts';
import { domainOf } from '../../model/email.ts';
import { ApiError } from '../../model/errors.ts';
import type { WorkspaceItem } from '../items.ts';
import { isMailboxProvider } from './mailbox-providers.ts';
import { isProven } from './modes.ts';

/** Error detail for a claim of a domain under which anybody can have a mailbox. */
export const sharedDomain = 'Must not be a domain under which anybody can have a mailbox';

/**
 * True if no person may claim the domain: anybody can have a mailbox under it, and it is not verified for this
 * workspace.
 */
export const isShared = (workspace: WorkspaceItem, domain: string): boolean =>
  isMailboxProvider(domain) && !isProven(workspace, domain);

/**
 * Checks that a person may set these domains on the workspace: those already set, verified ones, and the domain of
 * their own verified e-mail. Otherwise an attacker could put another company's domain on a workspace and wait for its
 * employees to join. Returns the user if one domain is allowed only by their e-mail. Throws `forbidden`.
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
