import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { passwords } from '#shared/contract/passwords.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { hashPassword, requireGoodPassword } from '#shared/identity/passwords/password-hash.ts';
import { consumeToken, requireEmailToken } from '#shared/identity/sign-in/email-challenges.ts';
import {
  requireSignInMethod,
  sessionOrigin,
  signInByEmail,
} from '#shared/identity/sign-in/sign-in.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(passwords.set, async ({ body, client, now }) => {
  const { project_id, token, password, device_token, ...newcomer } = body;
  const [project, signingKeys] = await Promise.all([
    requireSignInMethod(project_id, 'password_sign_in'),
    getSigningKeys(),
  ]);
  const proof = await requireEmailToken(token, project_id, ['sign_up', 'reset_password'], now);
  await requireGoodPassword(password, project, proof.email, 'password');
  const hash = await hashPassword(password);
  const signIn = await signInByEmail({
    project,
    email: proof.email,
    origin: sessionOrigin('idpw', client, device_token, signingKeys.refreshSecret),
    newcomer,
    proof: consumeToken(proof),
    hash,
    ifUnknown: new ApiError(
      proof.purpose === 'sign_up' ? 'sign_up_disabled' : 'mail_token_invalid',
    ),
    token: proof,
  });
  return signIn.as((result) => answerSignIn(project, result, signingKeys));
});
