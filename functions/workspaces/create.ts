import { workspaces } from '#shared/contract/workspaces.ts';
import { rateLimitWrite } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { createWorkspace } from '#shared/workspaces/create-workspace.ts';
import { isCallerSingleFactor } from '#shared/workspaces/second-factor.ts';
import { changedMfa } from '#shared/workspaces/second-factor-setting.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';
import { requireWorkspaceOwner } from '#shared/workspaces/workspace-owner.ts';

export const handler = endpoint(workspaces.create, async ({ body, caller, now }) => {
  const { external_id, app_metadata, private_metadata } = body;
  const backendField = external_id ?? app_metadata ?? private_metadata;
  if (caller.kind === 'person' && backendField !== undefined)
    throw new ApiError('forbidden', {
      detail: "Only the project's backend gives an external id or metadata",
    });
  const { require_mfa, mfa_grace_days, ...fields } = body;
  const mfa = { require_mfa, mfa_grace_days };
  const [owner, singleFactor] = await Promise.all([
    requireWorkspaceOwner(caller, body.owner_id),
    isCallerSingleFactor(caller),
  ]);
  const principal = { standing: 'owner' } as const;
  const mfa_required_at = await changedMfa(caller, { principal, singleFactor }, mfa, now);
  const rate =
    caller.kind === 'person' ? rateLimitWrite('workspacesByOne', owner.uid, 1, now) : undefined;
  return createWorkspace(owner, { ...fields, mfa_required_at }, now, rate).as((made) =>
    toWorkspace(made, caller.project),
  );
});
