import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { ApiError, type FieldError } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { setDomains } from '#shared/workspaces/domains/allowed-domains.ts';
import { isShared, requireClaims, sharedDomain } from '#shared/workspaces/domains/claims.ts';
import { domainModes, isProven } from '#shared/workspaces/domains/modes.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(
  workspaces.setAllowedDomains,
  async ({ params, body, caller, match, now }) => {
    const { allowed_domains } = body;
    const byPerson = caller.kind === 'person';
    const [{ workspace, principal }, user] = await Promise.all([
      authorize(caller, 'workspace:set-domains', params.workspace_id),
      byPerson ? getUser(caller.project_id, caller.uid) : undefined,
    ]);
    match?.(workspace, toWorkspace(workspace, caller.project));
    const currentModes = domainModes(workspace);
    if (byPerson) {
      const errors = allowed_domains.flatMap((domain, i): FieldError[] =>
        !currentModes.has(domain) && isShared(workspace, domain)
          ? [{ pointer: `/body/allowed_domains/${i}`, detail: sharedDomain }]
          : [],
      );
      if (errors.length > 0) throw new ApiError('invalid_request', { errors });
    }
    const claimant = byPerson ? requireClaims(user, workspace, allowed_domains) : undefined;
    // A domain added by a person only lets its users request to join. Joining directly requires a verified domain, or a
    // backend.
    const modeOfNew = (domain: string) =>
      byPerson && !isProven(workspace, domain) ? 'suggest' : 'auto';
    const modes = new Map(
      allowed_domains.map((domain) => [domain, currentModes.get(domain) ?? modeOfNew(domain)]),
    );
    const claim = { principal, claimant };
    return setDomains(workspace, modes, claim, now).as((set) => toWorkspace(set, caller.project));
  },
);
