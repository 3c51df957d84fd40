import { readDeviceToken } from '#shared/access/device-token.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import {
  consumeToken,
  hasOutlivedReset,
  requireEmailToken,
} from '#shared/identity/email-challenges.ts';
import { hashPassword, requireGoodPassword } from '#shared/identity/password-hash.ts';
import { getPassword } from '#shared/identity/passwords.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { requireSignInMethod, sessionOrigin, signInByEmail } from '#shared/identity/sign-in.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(passwords.set, async ({ body, client, now }) => {
  const { project_id, token, password, device_token, ...newcomer } = body;
  const [project, keys] = await Promise.all([
    requireSignInMethod(project_id, 'password_sign_in'),
    getSigningKeys(),
  ]);
  const proof = await requireEmailToken(token, project_id, ['sign_up', 'reset_password'], now);
  await requireGoodPassword(password, project, proof.email, 'password');
  const hash = await hashPassword(password);
  const signIn = await signInByEmail({
    project,
    email: proof.email,
    origin: sessionOrigin('idpw', client, readDeviceToken(device_token, keys.refreshSecret)),
    newcomer,
    proof: consumeToken(proof),
    hash,
    ifUnknown: new ApiError(
      proof.purpose === 'sign_up' ? 'sign_up_disabled' : 'mail_token_invalid',
    ),
    validateUser: async (uid, reading) => {
      const [before, there] = await Promise.all([getPassword(uid), reading]);
      // A mail can set one password: tokens mailed before the last change are invalid.
      const replaced = before !== undefined && before.changed_at >= proof.created_at;
      // Nobody needs a day to reset a password: for an account in use, every token expires as early as a reset token.
      const tooOld = there?.last_sign_in_at !== undefined && hasOutlivedReset(proof, now);
      if (replaced || tooOld)
        throw new ApiError('mail_token_invalid', {
          reason: 'replaced by a newer password, or too old',
        });
    },
  });
  return signIn.as((result) => answerSignIn(project, result, keys));
});
