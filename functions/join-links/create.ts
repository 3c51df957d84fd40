import { joinLinks } from '#shared/contract/join-links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/model/errors.ts';
import { newJoinLinkId } from '#shared/model/ids.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { getRolesToGive, isForOwners, requireMayGive } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { addJoinLink, newJoinLink } from '#shared/workspaces/joining/join-links.ts';
import { newJoinToken } from '#shared/workspaces/joining/join-token.ts';
import { joinLinkUrl, toJoinLink } from '#shared/workspaces/joining/join-views.ts';

export const handler = endpoint(joinLinks.create, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { role = 'member', expires_in = lifetimes.joinLink, max_uses } = body;
  const [{ workspace, principal }, roles] = await Promise.all([
    authorize(caller, 'join-link:create', workspace_id),
    getRolesToGive(caller.project_id, workspace_id, role),
  ]);
  requireMayGive(principal, role, roles);
  if (principal && principal.standing !== 'owner' && isForOwners(role, roles))
    throw new ApiError('forbidden', {
      detail: `Only the owner may create links with the role ${role}`,
    });
  const link_id = newJoinLinkId(now);
  const { token, token_sha256 } = newJoinToken(workspace_id, link_id);
  const link = newJoinLink(
    workspace,
    {
      link_id,
      role,
      restrict_to_allowed_domains: body.restrict_to_allowed_domains ?? false,
      token_sha256,
      created_by: principal?.uid,
      max_uses,
      expires_in,
    },
    now,
  );
  const url = joinLinkUrl(workspace, caller.project, token);
  const add = await addJoinLink(workspace, link, principal, now);
  return add.as((added) => ({ ...toJoinLink(added), token, url }));
});
