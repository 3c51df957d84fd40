import { getProject } from '#shared/access/projects.ts';
import { projects } from '#shared/contract/projects.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { limits } from '#shared/model/limits.ts';

export const handler = endpoint(projects.get, async ({ params }) => {
  const project = await getProject(params.project_id);
  // Whether there is such a project is told of those alone that show pages to everybody.
  if (!project?.hosted_pages) throw notFound('unknown, or without hosted pages');
  const { project_id, name, branding, identity_providers = {} } = project;
  return {
    project_id,
    name,
    ...(branding && { branding }),
    sign_up: project.sign_up ?? false,
    methods: {
      password: project.password_sign_in ?? false,
      code: project.code_sign_in ?? false,
      identity_providers: Object.entries(identity_providers).map(
        ([provider, { issuer, client_ids }]) => ({ name: provider, issuer, client_ids }),
      ),
    },
    min_password_length: project.min_password_length ?? limits.password.min,
  };
});
