import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { links } from '#shared/contract/links.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { consumeToken } from '#shared/identity/email-challenges.ts';
import { requireSignInMethod, sessionOrigin, signInByEmail } from '#shared/identity/sign-in.ts';
import { requireTokenOrCode, verifyLink } from '#shared/identity/sign-in-links.ts';
import { getMailKey } from '#shared/mail/mail-secret.ts';
import { ApiError } from '#shared/model/errors.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(links.signIn, async ({ body, client, now }) => {
  const { project_id, link_id, verifier, token, code, ...newcomer } = body;
  const project = await requireSignInMethod(project_id, 'link_sign_in');
  requireTokenOrCode(body);
  const network = networkKey(project_id, client.address);
  const [mailKey, keys] = await Promise.all([
    getMailKey(),
    getSigningKeys(),
    consumeRateLimit('failuresFromOne', network, now),
  ]);
  const attempted = { project_id, method: 'email_link', subject: network };
  const link = await recordingFailure(attempted, now, () =>
    verifyLink({ project_id, link_id, verifier, token, code }, mailKey, now),
  );
  refundRateLimit('failuresFromOne', network, now);
  const signIn = await signInByEmail({
    project,
    email: link.email,
    origin: sessionOrigin('email_link', client),
    newcomer,
    proof: consumeToken(link),
    ifUnknown: new ApiError('invalid_credentials', { reason: 'no such user, and sign-up is off' }),
  });
  return signIn.as((result) => answerSignIn(project, result, keys));
});
