import { domains } from '#shared/contract/domains.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { proveDomain } from '#shared/workspaces/domains/allowed-domains.ts';
import { isPublished } from '#shared/workspaces/domains/dns.ts';
import { domainRecord, isProven, recordMembers } from '#shared/workspaces/domains/modes.ts';
import { toDomain } from '#shared/workspaces/joining/join-views.ts';

export const handler = endpoint(domains.prove, async ({ params, caller, now }) => {
  const { workspace_id, domain } = params;
  // Authorize first, so that nobody else can make the service query name servers.
  const { workspace, principal } = await authorize(caller, 'domain:prove', workspace_id);
  if (isProven(workspace, domain)) return toDomain(workspace, domain);
  const record = domainRecord(workspace, domain);
  if (!(await isPublished(record)))
    throw new ApiError('domain_not_proven', {
      detail: `There is no TXT record ${record.name} with the value ${record.value}`,
      members: recordMembers(record),
    });
  return proveDomain(workspace, domain, { principal }, now).as((proven) =>
    toDomain(proven, domain),
  );
});
