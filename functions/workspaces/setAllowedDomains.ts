import { authorize } from '#shared/auth/standing.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { domainOf } from '#shared/email.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getUser } from '#shared/table/users.ts';
import { setAllowedDomains } from '#shared/table/workspaces.ts';
import { viewWorkspace } from '#shared/views.ts';

export const handler = endpoint(
  workspaces.setAllowedDomains,
  async ({ params, body, caller, now }) => {
    const [{ workspace }, user] = await Promise.all([
      authorize(caller, 'workspace:set-domains', params.workspace_id),
      caller.kind === 'person' ? getUser(caller.project_id, caller.uid) : undefined,
    ]);
    if (caller.kind === 'person') {
      // Else anyone could put a foreign company's domain on a workspace and wait for its people.
      const own = user?.verified.email ? domainOf(user.email) : undefined;
      const foreign = body.allowed_domains.some(
        (domain) => domain !== own && !workspace.allowed_domains.includes(domain),
      );
      if (foreign)
        throw new Failure('forbidden', {
          detail: 'A person may add only the domain of their own verified e-mail',
        });
    }
    const changed = await setAllowedDomains(workspace, body.allowed_domains, now);
    return viewWorkspace(changed, caller.project);
  },
);
