import { normalizeEmail } from '../email.ts';
import { Failure } from '../errors.ts';
import type { PasswordItem } from '../table/passwords.ts';
import { giveBack, take } from '../table/rates.ts';
import type { UserItem } from '../table/users.ts';
import { verifyPassword } from './password.ts';

/**
 * Makes sure that whoever uses a session knows the user's password too. Wrong ones count towards the lock of the
 * account. Throws `invalid_credentials` or `too_many_requests`.
 */
export async function confirmPassword(
  { project_id, email }: UserItem,
  password: PasswordItem | undefined,
  given: string,
  now: Date,
): Promise<void> {
  const account = `${project_id} ${normalizeEmail(email)}`;
  await take('passwordFailures', account, now);
  if ((await verifyPassword(given, password?.hash)) === 'wrong')
    throw new Failure('invalid_credentials');
  giveBack('passwordFailures', account, now);
}
