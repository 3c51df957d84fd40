import { requireHostedPagesAt } from '#shared/access/hosted-pages.ts';
import { projects } from '#shared/contract/projects.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { limits } from '#shared/model/limits.ts';

export const handler = endpoint(projects.get, async ({ params, client }) => {
  const project = await requireHostedPagesAt(params.project_id, client.host);
  const { project_id, name, branding, identity_providers = {}, sign_in_providers = {} } = project;
  return {
    project_id,
    name,
    ...(branding && { branding }),
    sign_up: project.sign_up ?? false,
    workspace_creation: project.workspace_creation ?? 'backend',
    workspace_roles: project.workspace_roles ?? false,
    methods: {
      password: project.password_sign_in ?? false,
      passkey: project.passkeys ?? false,
      code: project.code_sign_in ?? false,
      link: project.link_sign_in ?? false,
      identity_providers: byName(identity_providers).map(
        ([provider, { issuer, client_ids, authorization_endpoint }]) => ({
          ...{ name: provider, issuer, client_ids },
          ...(authorization_endpoint !== undefined && { authorization_endpoint }),
        }),
      ),
      sign_in_providers: byName(sign_in_providers).map(([provider, { preset }]) => ({
        name: provider,
        preset,
      })),
    },
    mfa: project.mfa ?? 'off',
    min_password_length: project.min_password_length ?? limits.password.min,
  };
});

/** DynamoDB keeps no order in a map, and buttons must not change places. */
const byName = <T>(providers: Record<string, T>): [string, T][] =>
  Object.entries(providers).toSorted(([a], [b]) => (a < b ? -1 : 1));
