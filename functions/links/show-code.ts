import { links } from '#shared/contract/links.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireSignInMethod } from '#shared/identity/sign-in/sign-in.ts';
import { showLinkCode } from '#shared/identity/sign-in/sign-in-links.ts';
import { getMailKey } from '#shared/mail/mail-secret.ts';

export const handler = endpoint(links.showCode, async ({ body, client, now }) => {
  const { project_id } = body;
  await requireSignInMethod(project_id, 'link_sign_in');
  const network = networkKey(project_id, client.address);
  const [mailKey] = await Promise.all([
    getMailKey(),
    consumeRateLimit('failuresFromOne', network, now),
  ]);
  const shown = await showLinkCode(body, mailKey, now);
  refundRateLimit('failuresFromOne', network, now);
  return shown;
});
