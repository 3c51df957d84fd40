import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { codes } from '#shared/contract/codes.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { keys } from '#shared/db/schema.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import {
  type ChallengeItem,
  consumeToken,
  countAttempt,
} from '#shared/identity/email-challenges.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { requireSignInMethod, sessionOrigin, signInByEmail } from '#shared/identity/sign-in.ts';
import { getMailKey, isMailedCode } from '#shared/mail/mail-secret.ts';
import { ApiError } from '#shared/model/errors.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(codes.verify, async ({ body, client, now }) => {
  const { project_id, challenge_id, code, ...newcomer } = body;
  const project = await requireSignInMethod(project_id, 'code_sign_in');
  const network = networkKey(project_id, client.address);
  const [mailKey, signing] = await Promise.all([
    getMailKey(),
    getSigningKeys(),
    consumeRateLimit('failuresFromOne', network, now),
  ]);
  const attempted = { project_id, method: 'email_code', subject: network };
  const challenge = await recordingFailure(attempted, now, async () => {
    const found = await countAttempt<ChallengeItem>(keys.challenge(challenge_id), project_id, now);
    if (!isMailedCode(code, challenge_id, mailKey))
      throw new ApiError('invalid_credentials', { reason: 'wrong code' });
    return found;
  });
  refundRateLimit('failuresFromOne', network, now);
  const signIn = await signInByEmail({
    project,
    email: challenge.email,
    origin: sessionOrigin('email_code', client),
    newcomer,
    proof: consumeToken(challenge),
    ifUnknown: new ApiError('invalid_credentials', { reason: 'no such user, and sign-up is off' }),
  });
  return signIn.as((result) => answerSignIn(project, result, signing));
});
