import { confirmPassword } from '#shared/auth/confirm-password.ts';
import { mailLink } from '#shared/auth/mailing.ts';
import { emails } from '#shared/contract/emails.ts';
import { Failure, invalid } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getPassword } from '#shared/table/passwords.ts';
import { getUser } from '#shared/table/users.ts';

export const handler = endpoint(emails.change, async ({ body, caller, client, now }) => {
  const { project_id, uid } = caller;
  const { email, current_password } = body;
  const [user, password] = await Promise.all([getUser(project_id, uid), getPassword(uid)]);
  if (!user) throw new Failure('unauthenticated');
  // Whoever has stolen a session must not be able to take the account with it.
  if (password && current_password === undefined)
    throw invalid('/body/current_password', 'Is required, because the user has a password');
  if (current_password !== undefined) await confirmPassword(user, password, current_password, now);
  const from_email = user.email;
  return mailLink('change_email', { project_id, uid, email, from_email, address: client.address });
});
