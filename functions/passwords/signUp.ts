import { mailLink } from '#shared/auth/mailing.ts';
import { requireOffering } from '#shared/auth/sign-in.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(passwords.signUp, async ({ body, client }) => {
  const { project_id, email } = body;
  const project = await requireOffering(project_id, 'password_sign_in');
  if (!project.sign_up) throw new Failure('sign_up_disabled');
  return mailLink('sign_up', { project_id, email, address: client.address });
});
