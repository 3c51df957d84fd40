import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { codes } from '#shared/contract/codes.ts';
import { giveBack, originOf, take } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { takeTry, useUp } from '#shared/identity/email-challenges.ts';
import { issueTokens } from '#shared/identity/session-response.ts';
import { openingOf, requireOffering, signInByMailbox } from '#shared/identity/sign-in.ts';
import { getMailKey, isMailedCode } from '#shared/mail/mail-secret.ts';
import { Failure } from '#shared/model/errors.ts';

export const handler = endpoint(codes.verify, async ({ body, client, now }) => {
  const { project_id, challenge_id, code, ...newcomer } = body;
  const project = await requireOffering(project_id, 'code_sign_in');
  const origin = originOf(project_id, client.address);
  const [mailKey, keys] = await Promise.all([
    getMailKey(),
    getSigningKeys(),
    take('failuresFromOne', origin, now),
  ]);
  const challenge = await takeTry(project_id, challenge_id, now);
  if (!isMailedCode(code, challenge_id, mailKey)) throw new Failure('invalid_credentials');
  giveBack('failuresFromOne', origin, now);
  const signIn = await signInByMailbox({
    project,
    email: challenge.email,
    opening: openingOf('email_code', client),
    newcomer,
    proof: useUp(challenge),
    refusal: new Failure('invalid_credentials'),
  });
  return signIn.as(({ session, user, created }) => issueTokens(session, user, keys, created));
});
