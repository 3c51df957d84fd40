import { codes } from '#shared/contract/codes.ts';
import { keys } from '#shared/db/keys.ts';
import { signInByMail } from '#shared/factors/sign-in-by-mail.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type ChallengeItem, countCodeAttempt } from '#shared/identity/sign-in/email-challenges.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { getMailKey, isMailedCode } from '#shared/mail/mail-secret.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(codes.verify, async ({ body, client, now }) => {
  const { challenge_id, code, ...rest } = body;
  const { project_id } = rest;
  const project = await requireSignInMethod(project_id, 'code_sign_in');
  return signInByMail(project, 'email_code', rest, { client, now }, async () => {
    const [mailKey, challenge] = await Promise.all([
      getMailKey(),
      countCodeAttempt<ChallengeItem>(keys.challenge(challenge_id), project_id, now),
    ]);
    if (!isMailedCode(code, challenge_id, mailKey))
      throw new ApiError('invalid_credentials', { reason: 'wrong code' });
    return challenge;
  });
});
