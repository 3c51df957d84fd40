import { type Change, change, del, put, update, type Write } from '../../db/change.ts';
import {
  and,
  attributesUnchanged,
  type Condition,
  existsInProject,
  where,
} from '../../db/condition.ts';
import { byDomain } from '../../db/index-attributes.ts';
import type { Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../../db/modified-at.ts';
import { withEvents } from '../../db/outbox.ts';
import { maxWrites } from '../../db/transaction.ts';
import type { UserItem } from '../../identity/users/users.ts';
import type { EventDraft } from '../../model/events.ts';
import { limits } from '../../model/limits.ts';
import type { Principal } from '../../roles/principal.ts';
import { byPrincipal } from '../by-principal.ts';
import type { DomainMode, JoinMode, WorkspaceItem } from '../items.ts';
import { assertUserUnchanged } from '../members/membership-transaction.ts';
import { domainModes, isProven, modeOf } from './modes.ts';

/** True while the workspace allows the domain, in any mode. */
export const allowsDomain = (domain: string): Condition =>
  where('contains(#allowed_domains, :domain)', { domain });

/** True while the workspace's domains, their modes and their verifications are unchanged since it was read. */
export const domainsUnchanged = (workspace: WorkspaceItem): Condition =>
  attributesUnchanged(workspace, ['allowed_domains', 'domain_modes', 'proven_domains']);

/**
 * The index item by which users of a domain find the workspace. Workspaces that have verified the domain sort first, so
 * others that claim it cannot displace them.
 */
export const domainItem = (workspace: WorkspaceItem, domain: string): Item => {
  const { project_id, workspace_id } = workspace;
  return {
    ...keys.domain(workspace_id, domain),
    ...byDomain(project_id, domain, workspace_id, isProven(workspace, domain)),
  };
};

/** Who changes the domains. Their right to do so is re-checked in the transaction; a backend needs none. */
export type Claim = {
  /** The acting member, whose right is checked again. Undefined for a backend. */
  principal: Principal | undefined;
  /** The person whose own e-mail allows a domain. The e-mail must still be theirs and verified. */
  claimant?: UserItem | undefined;
};

/**
 * Sets the allowed domains of a workspace with their modes, and their index items, all or nothing. Stale if the domains
 * changed since the workspace was read, the workspace was deleted, or the person may no longer set them.
 */
export function setDomains(
  workspace: WorkspaceItem,
  modes: ReadonlyMap<string, JoinMode>,
  claim: Claim,
  now: Date,
): Change<WorkspaceItem> {
  const set = {
    allowed_domains: [...modes.keys()],
    domain_modes: Object.fromEntries(modes),
    modified_at: modifiedAt(now, workspace),
  };
  const same = [...workspace.allowed_domains, ...modes.keys()].every(
    (domain) => modeOf(workspace, domain) === (modes.get(domain) ?? 'off'),
  );
  const events: EventDraft[] = same ? [] : [{ type: 'workspace.domains_changed' }];
  return changeDomains(workspace, claim, set, events);
}

/** Sets the mode of one domain. Stale like `setDomains`. */
export function setDomain(
  workspace: WorkspaceItem,
  domain: string,
  mode: DomainMode,
  claim: Claim,
  now: Date,
): Change<WorkspaceItem> {
  const modes = domainModes(workspace);
  if (mode === 'off') modes.delete(domain);
  else modes.set(domain, mode);
  return setDomains(workspace, modes, claim, now);
}

/**
 * Records that a domain is verified. Verifications of domains that are not allowed are limited to as many as domains
 * may be allowed, and the oldest are dropped, so that the item stays small. Stale like `setDomains`.
 */
export function proveDomain(
  workspace: WorkspaceItem,
  domain: string,
  claim: Claim,
  now: Date,
): Change<WorkspaceItem> {
  const others = Object.entries(workspace.proven_domains ?? {})
    .filter(([other]) => !workspace.allowed_domains.includes(other))
    .sort(([, a], [, b]) => (a < b ? 1 : -1));
  const forgotten = new Set(others.slice(limits.allowedDomains - 1).map(([other]) => other));
  const kept = Object.entries(workspace.proven_domains ?? {}).filter(
    ([other]) => !forgotten.has(other),
  );
  const set = {
    proven_domains: { ...Object.fromEntries(kept), [domain]: now.toISOString() },
    modified_at: modifiedAt(now, workspace),
  };
  return changeDomains(workspace, claim, set, [
    { type: 'workspace.domain_proven', data: { domain } },
  ]);
}

function changeDomains(
  workspace: WorkspaceItem,
  { principal, claimant }: Claim,
  set: Partial<WorkspaceItem> & { modified_at: string },
  events: EventDraft[],
): Change<WorkspaceItem> {
  const { workspace_id, project_id } = workspace;
  const after = { ...workspace, ...set };
  const isNew = (domain: string) =>
    !workspace.allowed_domains.includes(domain) ||
    isProven(workspace, domain) !== isProven(after, domain);
  const removed = workspace.allowed_domains.filter(
    (domain) => !after.allowed_domains.includes(domain),
  );
  const authorized = {
    workspace: update<WorkspaceItem>(
      keys.workspace(workspace_id),
      withEvents({ set }, ...events),
      and(
        existsInProject(project_id),
        domainsUnchanged(workspace),
        notModifiedAfter(set.modified_at),
      ),
    ),
    ...(claimant && { claimant: assertUserUnchanged(claimant) }),
  };
  const writes: [string, Write][] = [
    ...Object.entries(byPrincipal(authorized, workspace_id, principal)),
    ...after.allowed_domains
      .filter(isNew)
      .map((domain): [string, Write] => [`+${domain}`, put(domainItem(after, domain))]),
    ...removed.map((domain): [string, Write] => [
      `-${domain}`,
      del(keys.domain(workspace_id, domain)),
    ]),
  ];
  // Replacing 50 domains by 50 others needs up to four writes too many. An index item that is left over does no harm:
  // the workspace it finds no longer lists the domain, and that list decides.
  return change(Object.fromEntries(writes.slice(0, maxWrites)), after);
}
