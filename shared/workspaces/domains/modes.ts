import { sha256 } from '../../model/ids.ts';
import type { DomainMode, JoinMode, WorkspaceItem } from '../items.ts';

/** The DNS record that verifies a domain. */
export type DomainRecord = { type: 'TXT'; name: string; value: string };

/**
 * The TXT record by which the operator of a domain assigns it to a workspace. Its value is not secret, because
 * publishing it is the proof. It differs for each project, workspace and domain, so that no workspace can use the
 * record of another.
 */
export const domainRecord = (
  { project_id, workspace_id }: { project_id: string; workspace_id: string },
  domain: string,
): DomainRecord => ({
  type: 'TXT',
  name: `_identity-workspace.${domain}`,
  value: `identity-workspace=${sha256(`domain\n${project_id}\n${workspace_id}\n${domain}`)}`,
});

/** What the problem document says of the record that is missing. */
export const recordMembers = ({ name, value }: DomainRecord) => ({
  record_name: name,
  record_value: value,
});

/** The mode of a domain. Items written before modes existed have none, and mean `auto`. */
export const modeOf = (
  { allowed_domains, domain_modes }: WorkspaceItem,
  domain: string,
): DomainMode => (allowed_domains.includes(domain) ? (domain_modes?.[domain] ?? 'auto') : 'off');

/** When the workspace verified the domain, or undefined. */
export const provenAt = ({ proven_domains }: WorkspaceItem, domain: string): string | undefined =>
  proven_domains?.[domain];

export const isProven = (workspace: WorkspaceItem, domain: string): boolean =>
  provenAt(workspace, domain) !== undefined;

/** The allowed domains of a workspace, then those that are only verified. */
export function domainsOf({ allowed_domains, proven_domains = {} }: WorkspaceItem): string[] {
  const others = Object.keys(proven_domains).filter((domain) => !allowed_domains.includes(domain));
  return [...allowed_domains, ...others.sort()];
}

/** The modes of the allowed domains, in the order of the domains. */
export const domainModes = (workspace: WorkspaceItem): Map<string, JoinMode> =>
  new Map(
    workspace.allowed_domains.map((domain) => [
      domain,
      modeOf(workspace, domain) === 'suggest' ? 'suggest' : 'auto',
    ]),
  );
