import type { PersonCaller } from '../../access/caller.ts';
import { requireLiveSession } from '../../access/live-session.ts';
import { requireRecentSignIn } from '../../access/recent-sign-in.ts';
import { ApiError, invalidField } from '../../model/errors.ts';
import {
  countPasswordAttempt,
  recordRightPassword,
  recordWrongPassword,
} from '../passwords/password-attempts.ts';
import { verifyPassword } from '../passwords/password-hash.ts';
import { getPassword, type PasswordItem } from '../passwords/passwords.ts';
import { requireCaller, type UserItem } from '../users/users.ts';

/**
 * Verifies the password of the session's user, and returns it. Failures count towards the lockout of the account. Throws
 * `invalid_credentials`, `too_many_requests` or `password_locked`.
 */
export async function reauthenticateByPassword(
  { project_id, email }: UserItem,
  password: PasswordItem | undefined,
  sent: string,
  now: Date,
): Promise<PasswordItem> {
  // Reveals that there is no password only to the session's own user.
  if (!password) throw new ApiError('invalid_credentials', { reason: 'the user has no password' });
  const account = { project_id, email };
  const tried = await countPasswordAttempt(account, now);
  if ((await verifyPassword(sent, password.hash)) === 'wrong') {
    await recordWrongPassword(account, tried, now);
    throw new ApiError('invalid_credentials', { reason: 'wrong password' });
  }
  recordRightPassword(account, now);
  return password;
}

/**
 * Returns the calling user after verifying their password, if they have one: a stolen session must not be enough to
 * take over the account. In a project without passwords a recent sign-in will do instead: one that is forgotten could
 * not be replaced. Throws `invalid_request`, `invalid_credentials`, `too_many_requests`, `password_locked` or
 * `reauthentication_required`; `unauthenticated` if the user no longer exists.
 */
export async function reauthenticate(
  caller: PersonCaller,
  current_password: string | undefined,
  now: Date,
): Promise<UserItem> {
  const [user, password, session] = await Promise.all([
    requireCaller(caller),
    getPassword(caller.uid),
    caller.project.password_sign_in ? undefined : requireLiveSession(caller, now),
  ]);
  if (current_password !== undefined)
    await reauthenticateByPassword(user, password, current_password, now);
  else if (password && session) requireRecentSignIn(session, now);
  else if (password)
    throw invalidField('/body/current_password', 'Is required, because the user has a password');
  return user;
}
