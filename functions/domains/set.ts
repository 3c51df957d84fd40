import { domains } from '#shared/contract/domains.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { ApiError, invalidField } from '#shared/model/errors.ts';
import { limits } from '#shared/model/limits.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { setDomain } from '#shared/workspaces/domains/allowed-domains.ts';
import { isShared, requireClaims, sharedDomain } from '#shared/workspaces/domains/claims.ts';
import { domainRecord, isProven, modeOf, recordMembers } from '#shared/workspaces/domains/modes.ts';
import { toDomain } from '#shared/workspaces/joining/join-views.ts';

export const handler = endpoint(domains.set, async ({ params, body, caller, now }) => {
  const { workspace_id, domain } = params;
  const { mode } = body;
  const [{ workspace, principal }, user] = await Promise.all([
    authorize(caller, 'workspace:set-domains', workspace_id),
    caller.kind === 'person' ? getUser(caller.project_id, caller.uid) : undefined,
  ]);
  const before = modeOf(workspace, domain);
  if (before === mode) return toDomain(workspace, domain);
  const byPerson = caller.kind === 'person' && mode !== 'off';
  if (byPerson) {
    if (before === 'off' && isShared(workspace, domain))
      throw invalidField('/path/domain', sharedDomain);
    if (mode === 'auto' && !isProven(workspace, domain))
      throw new ApiError('domain_not_proven', {
        members: recordMembers(domainRecord(workspace, domain)),
      });
  }
  const claimant = byPerson ? requireClaims(user, workspace, [domain]) : undefined;
  if (before === 'off' && workspace.allowed_domains.length >= limits.allowedDomains)
    throw invalidField('/path/domain', `Must be one of at most ${limits.allowedDomains} domains`);
  const claim = { principal, claimant };
  return setDomain(workspace, domain, mode, claim, now).as((set) => toDomain(set, domain));
});
