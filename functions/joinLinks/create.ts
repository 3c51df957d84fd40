import { newJoinToken } from '#shared/auth/join-token.ts';
import { authorize, managerOf } from '#shared/auth/standing.ts';
import { joinLinks } from '#shared/contract/join-links.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { newJoinLinkId } from '#shared/ids.ts';
import { lifetimes } from '#shared/limits.ts';
import { addJoinLink, newJoinLink } from '#shared/table/join-links.ts';
import { joinLinkUrl, viewJoinLink } from '#shared/views-ways-in.ts';

export const handler = endpoint(joinLinks.create, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { role = 'member', expires_in = lifetimes.joinLink, max_uses } = body;
  const { workspace } = await authorize(caller, 'join-link:create', workspace_id);
  if (role === 'admin' && caller.kind === 'person' && workspace.owner_id !== caller.uid)
    throw new Failure('forbidden', { detail: 'Only the owner makes links that make admins' });
  const link_id = newJoinLinkId(now);
  const { token, token_sha256 } = newJoinToken(workspace_id, link_id);
  const link = newJoinLink(
    workspace,
    {
      link_id,
      role,
      restrict_to_allowed_domains: body.restrict_to_allowed_domains ?? false,
      token_sha256,
      created_by: managerOf(caller),
      max_uses,
      expires_in,
    },
    now,
  );
  const url = joinLinkUrl(workspace, caller.project, token);
  const add = await addJoinLink(workspace, link, now);
  return add.as((added) => ({ ...viewJoinLink(added), token, url }));
});
