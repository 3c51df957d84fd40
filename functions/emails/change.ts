import { emails } from '#shared/contract/emails.ts';
import { consumeRateLimit, refundRateLimit } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reauthenticate } from '#shared/identity/sign-in/reauthenticate.ts';
import { mailLink } from '#shared/identity/sign-in/request-mail.ts';

export const handler = endpoint(emails.change, async ({ body, caller, client, now }) => {
  const { project_id, uid, session_id } = caller;
  const { email, current_password } = body;
  const { email: from_email } = await reauthenticate(caller, current_password, now);
  // Before the limits of the mailbox and the network: who is over it uses up none of what others need.
  await consumeRateLimit('emailChangesByOne', uid, now);
  const { address } = client;
  try {
    const recipient = { project_id, uid, session_id, email, from_email, address };
    return await mailLink('change_email', recipient);
  } catch (error) {
    refundRateLimit('emailChangesByOne', uid, now);
    throw error;
  }
});
