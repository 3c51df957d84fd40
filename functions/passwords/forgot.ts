import { passwords } from '#shared/contract/passwords.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailLink } from '#shared/identity/request-mail.ts';
import { requireSignInMethod } from '#shared/identity/sign-in.ts';

export const handler = endpoint(passwords.forgot, async ({ body, client }) => {
  const { project_id, email } = body;
  await requireSignInMethod(project_id, 'password_sign_in');
  return mailLink('reset_password', { project_id, email, address: client.address });
});
