import { passwords } from '#shared/contract/passwords.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { changePassword } from '#shared/identity/passwords/change-password.ts';
import { hashPassword, requireGoodPassword } from '#shared/identity/passwords/password-hash.ts';
import { getPassword } from '#shared/identity/passwords/passwords.ts';
import { reauthenticateByPassword } from '#shared/identity/sign-in/reauthenticate.ts';
import { requireCaller } from '#shared/identity/users/users.ts';
import { toUser } from '#shared/identity/users/views.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(passwords.change, async ({ body, caller, now }) => {
  const { project, uid, session_id } = caller;
  if (!project.password_sign_in) throw new ApiError('sign_in_method_disabled');
  const [user, found] = await Promise.all([requireCaller(caller), getPassword(uid)]);
  await requireGoodPassword(body.new_password, project, user.email, 'new_password');
  const before = await reauthenticateByPassword(user, found, body.current_password, now);
  const hashing = hashPassword(body.new_password);
  return (await changePassword(user, before, hashing, session_id, now)).as(toUser);
});
