import { domains } from '#shared/contract/domains.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { domainsOf } from '#shared/workspaces/domains/modes.ts';
import { toDomain } from '#shared/workspaces/joining/join-views.ts';

export const handler = endpoint(domains.list, async ({ params, caller }) => {
  const { workspace } = await authorize(caller, 'domain:list', params.workspace_id);
  const result = domainsOf(workspace).map((domain) => toDomain(workspace, domain));
  return replyPage(result);
});
