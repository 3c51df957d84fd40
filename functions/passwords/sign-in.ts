import { countSignIn } from '#shared/access/sign-in-rate-limit.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { captchaCheck } from '#shared/captcha/captcha.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getDecoy } from '#shared/identity/passwords/imported-kinds.ts';
import {
  attemptsOfWindow,
  countPasswordAttempt,
  recordRightPassword,
  recordWrongPassword,
  refundAttempt,
} from '#shared/identity/passwords/password-attempts.ts';
import { hashPassword, verifyPassword } from '#shared/identity/passwords/password-hash.ts';
import {
  assertPasswordUnchanged,
  getPassword,
  type PasswordItem,
  replacePassword,
} from '#shared/identity/passwords/passwords.ts';
import { recordDevice } from '#shared/identity/sessions/devices.ts';
import { newSession } from '#shared/identity/sessions/sessions.ts';
import { countAttempt } from '#shared/identity/sign-in/count-attempt.ts';
import { startWithFirstFactor } from '#shared/identity/sign-in/first-factor.ts';
import { requireSignInMethod, sessionOrigin } from '#shared/identity/sign-in/sign-in.ts';
import { findUser, getUidByEmail, hasEmail } from '#shared/identity/users/users.ts';
import { withWallet } from '#shared/identity/wallet/user-wallet.ts';
import { ApiError } from '#shared/model/errors.ts';
import { recordFailure } from '#shared/stats/failures.ts';

/** Read instead of a missing account, so that known and unknown e-mails cause the same calls. No uid has this value. */
const nobody = 'nobody';

export const handler = endpoint(passwords.signIn, async ({ body, client, now }) => {
  const { project_id, email, device_token } = body;
  const project = await requireSignInMethod(project_id, 'password_sign_in');
  const account = { project_id, email };
  const admit = captchaCheck(project, body.captcha_token, 'sign_in');
  const [uid = nobody, attempt] = await Promise.all([
    getUidByEmail(project_id, email),
    countAttempt(project_id, client, now),
  ]);
  // Counted before the password is compared: at most ten are compared, even under concurrency.
  const [found, password, decoy, tried] = await Promise.all([
    findUser(uid),
    getPassword(uid),
    getDecoy(project, email),
    countPasswordAttempt(account, now),
  ]);
  const failures = Math.max(attemptsOfWindow(tried, now), attempt.counted) - 1;
  await admit(failures, attempt.refund).catch((refusal: unknown) => {
    // Nothing was guessed.
    refundAttempt(account, now);
    throw refusal;
  });
  const verdict = await verifyPassword(body.password, password?.hash, decoy);
  if (!found || !password || verdict === 'wrong') {
    recordFailure({ project_id, method: 'idpw', subject: attempt.network }, now);
    await recordWrongPassword(account, tried, now);
    throw new ApiError('invalid_credentials', { reason: 'wrong password, or no such account' });
  }
  // Refunded even if a later step fails, because the password was correct.
  recordRightPassword(account, now);
  attempt.refund();
  const [signingKeys, user] = await Promise.all([getSigningKeys(), withWallet(found)]);
  const origin = sessionOrigin('idpw', client, device_token, signingKeys.refreshSecret);
  const session = newSession(project_id, uid, origin, now);
  await countSignIn(session, now);
  const signIn = await startWithFirstFactor(
    session,
    { project, user },
    {
      device: () => recordDevice(user, session, project, now),
      // The e-mail may have changed since the guard was read.
      condition: hasEmail(project_id, email),
      // If the password changes meanwhile, no session may start with the old one.
      writes: {
        password:
          verdict === 'outdated'
            ? await rehash(password, body.password)
            : assertPasswordUnchanged(password),
      },
    },
  );
  return signIn.as((result) => answerSignIn(project, result, signingKeys));
});

/** Hashes the same password with the current parameters. */
async function rehash(before: PasswordItem, password: string) {
  return replacePassword({ ...before, hash: await hashPassword(password) }, before);
}
