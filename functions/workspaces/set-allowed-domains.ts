import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/identity/users.ts';
import { Failure, type FieldError } from '#shared/model/errors.ts';
import { setDomains } from '#shared/workspaces/allowed-domains.ts';
import { authorize, managerOf } from '#shared/workspaces/authorize.ts';
import { isShared, requireClaims, sharedDomain } from '#shared/workspaces/domain-claims.ts';
import { isProven, openModes } from '#shared/workspaces/domain-modes.ts';
import { viewWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(
  workspaces.setAllowedDomains,
  async ({ params, body, caller, match, now }) => {
    const { allowed_domains } = body;
    const byPerson = caller.kind === 'person';
    const [{ workspace }, user] = await Promise.all([
      authorize(caller, 'workspace:set-domains', params.workspace_id),
      byPerson ? getUser(caller.project_id, caller.uid) : undefined,
    ]);
    match?.(workspace, viewWorkspace(workspace, caller.project));
    const known = openModes(workspace);
    if (byPerson) {
      const errors = allowed_domains.flatMap((domain, i): FieldError[] =>
        !known.has(domain) && isShared(workspace, domain)
          ? [{ pointer: `/body/allowed_domains/${i}`, detail: sharedDomain }]
          : [],
      );
      if (errors.length > 0) throw new Failure('invalid_request', { errors });
    }
    const claimant = byPerson ? requireClaims(user, workspace, allowed_domains) : undefined;
    // What a person adds lets people ask; that they come in at once takes a proof, or the back end's word.
    const modeOfNew = (domain: string) =>
      byPerson && !isProven(workspace, domain) ? 'suggest' : 'auto';
    const modes = new Map(
      allowed_domains.map((domain) => [domain, known.get(domain) ?? modeOfNew(domain)]),
    );
    const claim = { manager: managerOf(caller), claimant };
    return setDomains(workspace, modes, claim, now).as((set) => viewWorkspace(set, caller.project));
  },
);
