import { sha256 } from '../model/ids.ts';
import type { DomainMode, JoinMode, WorkspaceItem } from './items.ts';

/** The DNS record that proves a domain. */
export type DomainRecord = { type: 'TXT'; name: string; value: string };

/**
 * The record by which whoever runs a domain says that it is a workspace's. Its value is not secret, for publishing it is
 * the proof; but it is another for each project, workspace and domain, so none of them can live on another's record.
 */
export const domainRecord = (
  { project_id, workspace_id }: { project_id: string; workspace_id: string },
  domain: string,
): DomainRecord => ({
  type: 'TXT',
  name: `_identity-workspace.${domain}`,
  value: `identity-workspace=${sha256(`domain\n${project_id}\n${workspace_id}\n${domain}`)}`,
});

/** The mode of a domain; one that was allowed before there were modes lets people in. */
export const modeOf = (
  { allowed_domains, domain_modes }: WorkspaceItem,
  domain: string,
): DomainMode => (allowed_domains.includes(domain) ? (domain_modes?.[domain] ?? 'auto') : 'off');

/** When the domain was proven to be the workspace's, or undefined. */
export const provenAt = ({ proven_domains }: WorkspaceItem, domain: string): string | undefined =>
  proven_domains?.[domain];

export const isProven = (workspace: WorkspaceItem, domain: string): boolean =>
  provenAt(workspace, domain) !== undefined;

/** The domains that a workspace allows, and after them those that it has only proven. */
export function domainsOf({ allowed_domains, proven_domains = {} }: WorkspaceItem): string[] {
  const others = Object.keys(proven_domains).filter((domain) => !allowed_domains.includes(domain));
  return [...allowed_domains, ...others.sort()];
}

/** The modes of the allowed domains, in their order. */
export const domainModes = (workspace: WorkspaceItem): Map<string, JoinMode> =>
  new Map(
    workspace.allowed_domains.map((domain) => [
      domain,
      modeOf(workspace, domain) === 'suggest' ? 'suggest' : 'auto',
    ]),
  );
