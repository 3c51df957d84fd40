import { emails } from '#shared/contract/emails.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { mailLink } from '#shared/identity/sign-in/request-mail.ts';
import { requireCaller } from '#shared/identity/users/users.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(emails.verify, async ({ caller, client }) => {
  const { project_id, uid } = caller;
  const { email } = await requireCaller(caller);
  if (email === '') throw new ApiError('email_missing');
  return mailLink('verify_email', { project_id, uid, email, address: client.address });
});
