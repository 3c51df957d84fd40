import {
  and,
  type Change,
  type Condition,
  change,
  del,
  put,
  update,
  type Write,
  where,
} from '../db/change.ts';
import type { Item } from '../db/item.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { byDomain, keys } from '../db/schema.ts';
import { maxWrites } from '../db/transaction.ts';
import type { UserItem } from '../identity/users.ts';
import type { EventDraft } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { domainModes, isProven, modeOf } from './domain-modes.ts';
import type { DomainMode, JoinMode, WorkspaceItem } from './items.ts';
import { requireAdmin, userUnchanged } from './membership-transaction.ts';

/** Holds while a workspace allows the domain, in whatever mode. */
export const allowsDomain = (domain: string): Condition =>
  where('contains(#allowed_domains, :domain)', { domain });

/** Holds while the domains of a workspace, their modes and proofs are as they were read. */
export const domainsUnchanged = (workspace: WorkspaceItem): Condition =>
  (['allowed_domains', 'domain_modes', 'proven_domains'] as const)
    .map((name) =>
      workspace[name] === undefined
        ? where(`attribute_not_exists(#${name})`)
        : where(`#${name} = :${name}_seen`, { [`${name}_seen`]: workspace[name] }),
    )
    .reduce(and);

/** The item by which people of a domain find the workspace; proven ones come first, whoever else claims it. */
export const domainItem = (workspace: WorkspaceItem, domain: string): Item => {
  const { project_id, workspace_id } = workspace;
  return {
    ...keys.domain(workspace_id, domain),
    ...byDomain(project_id, domain, workspace_id, isProven(workspace, domain)),
  };
};

/** Who changes domains, whose right is held at the commit; nothing is held of a project's back end. */
export type Claim = {
  /** The person who acts: an admin still. */
  manager: string | undefined;
  /** The person by whose own e-mail a domain is allowed: it is still theirs, and proven. */
  claimant?: UserItem | undefined;
};

/**
 * Sets the allowed domains of a workspace with their modes, and the items by which they are found, all or nothing.
 * Stale if the domains changed since the workspace was read, the workspace was deleted, or who sets them may no longer.
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
  const facts: EventDraft[] = same ? [] : [{ type: 'workspace.domains_changed' }];
  return changeDomains(workspace, claim, set, facts);
}

/** Gives one domain a mode. As `setDomains`. */
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
 * Notes that a domain is proven. Beside those of allowed domains as many proofs are kept as domains may be allowed, the
 * newest, so that the workspace stays small. As `setDomains`.
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
  { manager, claimant }: Claim,
  set: Partial<WorkspaceItem> & { modified_at: string },
  facts: EventDraft[],
): Change<WorkspaceItem> {
  const { workspace_id, project_id } = workspace;
  const after = { ...workspace, ...set };
  const isNew = (domain: string) =>
    !workspace.allowed_domains.includes(domain) ||
    isProven(workspace, domain) !== isProven(after, domain);
  const removed = workspace.allowed_domains.filter(
    (domain) => !after.allowed_domains.includes(domain),
  );
  const exists = where('#project_id = :project_id AND attribute_not_exists(#deleted_at)', {
    project_id,
  });
  const right = requireAdmin(workspace_id, manager);
  const writes: [string, Write][] = [
    ...(right ? [['manager', right] as [string, Write]] : []),
    ...(claimant ? [['claimant', userUnchanged(claimant)] as [string, Write]] : []),
    [
      'workspace',
      update(
        keys.workspace(workspace_id),
        withEvents({ set }, ...facts),
        [exists, domainsUnchanged(workspace), notModifiedAfter(set.modified_at)].reduce(and),
      ),
    ],
    ...after.allowed_domains
      .filter(isNew)
      .map((domain): [string, Write] => [`+${domain}`, put(domainItem(after, domain))]),
    ...removed.map((domain): [string, Write] => [
      `-${domain}`,
      del(keys.domain(workspace_id, domain)),
    ]),
  ];
  // 50 exchanged for 50 others is up to four writes too many. A domain item that is left over finds a workspace whose
  // own list no longer names the domain, which is what decides.
  return change(Object.fromEntries(writes.slice(0, maxWrites)), after);
}
