import { authorize } from '#shared/auth/standing.ts';
import { domains } from '#shared/contract/domains.ts';
import { domainsOf } from '#shared/domains.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { viewDomain } from '#shared/views-ways-in.ts';

export const handler = endpoint(domains.list, async ({ params, caller }) => {
  const { workspace } = await authorize(caller, 'domain:list', params.workspace_id);
  const result = domainsOf(workspace).map((domain) => viewDomain(workspace, domain));
  return { total: result.length, count: result.length, result };
});
