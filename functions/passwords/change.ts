import { requireGoodPassword, hashPassword } from '#shared/auth/password.ts';
import { confirmPassword } from '#shared/auth/confirm-password.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { changePassword } from '#shared/table/password-change.ts';
import { getPassword } from '#shared/table/passwords.ts';
import { getUser } from '#shared/table/users.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(passwords.change, async ({ body, caller, now }) => {
  const { project, project_id, uid, session_id } = caller;
  if (!project.password_sign_in) throw new Failure('sign_in_method_disabled');
  const [user, password] = await Promise.all([getUser(project_id, uid), getPassword(uid)]);
  if (!user) throw new Failure('unauthenticated');
  await requireGoodPassword(body.new_password, project, user.email, 'new_password');
  await confirmPassword(user, password, body.current_password, now);
  if (!password) throw new Failure('invalid_credentials');
  const hashing = hashPassword(body.new_password);
  return (await changePassword(user, password, hashing, session_id, now)).as(viewUser);
});
