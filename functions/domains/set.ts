import { isShared, requireClaims, sharedDomain } from '#shared/auth/domain-claims.ts';
import { authorize, managerOf } from '#shared/auth/standing.ts';
import { domains } from '#shared/contract/domains.ts';
import { isProven, modeOf } from '#shared/domains.ts';
import { Failure, invalid } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { limits } from '#shared/limits.ts';
import { setDomain } from '#shared/table/domains.ts';
import { getUser } from '#shared/table/users.ts';
import { viewDomain } from '#shared/views-ways-in.ts';

export const handler = endpoint(domains.set, async ({ params, body, caller, now }) => {
  const { workspace_id, domain } = params;
  const { mode } = body;
  const [{ workspace }, user] = await Promise.all([
    authorize(caller, 'workspace:set-domains', workspace_id),
    caller.kind === 'person' ? getUser(caller.project_id, caller.uid) : undefined,
  ]);
  const before = modeOf(workspace, domain);
  if (before === mode) return viewDomain(workspace, domain);
  const byPerson = caller.kind === 'person' && mode !== 'off';
  if (byPerson) {
    if (before === 'off' && isShared(workspace, domain))
      throw invalid('/path/domain', sharedDomain);
    if (mode === 'auto' && !isProven(workspace, domain)) throw new Failure('domain_not_proven');
  }
  const claimant = byPerson ? requireClaims(user, workspace, [domain]) : undefined;
  if (before === 'off' && workspace.allowed_domains.length >= limits.allowedDomains)
    throw invalid('/path/domain', `Must be one of at most ${limits.allowedDomains} domains`);
  const claim = { manager: managerOf(caller), claimant };
  return setDomain(workspace, domain, mode, claim, now).as((set) => viewDomain(set, domain));
});
