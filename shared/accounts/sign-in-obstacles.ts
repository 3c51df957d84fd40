import type { SignInObstacles } from '../contract/user-export.ts';
import type { Lock } from '../db/rate-limits.ts';
import { factorOf } from '../factors/factors.ts';
import { factorLock } from '../factors/prove.ts';
import { passwordLock } from '../identity/passwords/password-attempts.ts';
import type { UserItem } from '../identity/users/users.ts';
import { getMailbox } from '../mail/mailboxes.ts';

/**
 * What keeps a user from signing in and is no attribute of the user, for the support of the project. Nothing for the
 * user: locks and stops belong to an e-mail, which may be a stranger's, and tell a thief of a session whether somebody
 * has noticed.
 */
export async function readObstacles(user: UserItem, now: Date): Promise<SignInObstacles> {
  const { project_id, email, sign_in_methods } = user;
  const hasPassword = sign_in_methods?.['idpw'] !== undefined;
  const [ofPassword, factor, mailbox] = await Promise.all([
    email && hasPassword ? passwordLock({ project_id, email }, now) : undefined,
    factorOf(user),
    email ? getMailbox(project_id, email) : undefined,
  ]);
  const ofFactor = factor && factorLock(factor, now);
  const locks = [...shown('password', ofPassword), ...shown('totp', ofFactor)];
  const { stopped_at, stopped_because } = mailbox ?? {};
  return {
    ...(locks.length > 0 && { locks }),
    ...(stopped_at !== undefined &&
      stopped_because !== undefined && {
        mail_stopped: { at: stopped_at, because: stopped_because },
      }),
  };
}

type Shown = NonNullable<SignInObstacles['locks']>;

function shown(credential: Shown[number]['credential'], lock: Lock | undefined): Shown {
  if (!lock) return [];
  const { wrong_attempts, until } = lock;
  const end = until === undefined ? {} : { until: new Date(until * 1_000).toISOString() };
  return [{ credential, wrong_attempts, ...end }];
}
