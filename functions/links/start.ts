import { links } from '#shared/contract/links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailSignInLink } from '#shared/identity/request-mail.ts';
import { requireSignInMethod } from '#shared/identity/sign-in.ts';

export const handler = endpoint(links.start, async ({ body, client }) => {
  const { project_id, email, challenge } = body;
  await requireSignInMethod(project_id, 'link_sign_in');
  return mailSignInLink({ project_id, email, address: client.address }, challenge);
});
