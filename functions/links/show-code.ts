import { links } from '#shared/contract/links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { countAttempt } from '#shared/identity/sign-in/count-attempt.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { showLinkCode } from '#shared/identity/sign-in/sign-in-links.ts';
import { getMailKey } from '#shared/mail/mail-secret.ts';

export const handler = endpoint(links.showCode, async ({ body, client, now }) => {
  const { project_id } = body;
  await requireSignInMethod(project_id, 'link_sign_in');
  const [mailKey, attempt] = await Promise.all([
    getMailKey(),
    countAttempt(project_id, client, now),
  ]);
  const change = await showLinkCode(body, mailKey, now);
  attempt.refund();
  return change;
});
