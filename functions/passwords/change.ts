import { requireGoodPassword, hashPassword } from '#shared/auth/password.ts';
import { confirmPassword } from '#shared/auth/confirm-password.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { newMail } from '#shared/table/mails.ts';
import { getPassword, newPassword, replacePassword } from '#shared/table/passwords.ts';
import { endingsOf, noSessionSince } from '#shared/table/sessions.ts';
import { keys } from '#shared/table/shape.ts';
import { getUser } from '#shared/table/users.ts';
import { create, transact, update } from '#shared/table/write.ts';
import { viewUser } from '#shared/views.ts';

export const handler = endpoint(passwords.change, async ({ body, caller, now }) => {
  const { project, project_id, uid, session_id } = caller;
  if (!project.password_sign_in) throw new Failure('sign_in_method_disabled');
  const [user, password] = await Promise.all([getUser(project_id, uid), getPassword(uid)]);
  if (!user) throw new Failure('unauthenticated');
  await requireGoodPassword(body.new_password, project, user.email, 'new_password');
  await confirmPassword(user, password, body.current_password, now);
  if (!password) throw new Failure('invalid_credentials');
  const [hash, endings] = await Promise.all([
    hashPassword(body.new_password),
    endingsOf(user, now, session_id),
  ]);
  const changed = newPassword(uid, hash, now);
  const notice = newMail('password_changed', { project_id, to: user.email }, now);
  const modified_at = now.toISOString();
  await transact<string>({
    password: replacePassword(changed, password),
    user: update(
      keys.user(uid),
      { set: { modified_at }, add: { version: 1 } },
      noSessionSince(user),
    ),
    ...endings,
    ...(user.email !== '' && { notice: create(notice) }),
  });
  return viewUser({ ...user, modified_at });
});
