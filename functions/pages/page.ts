import { arePagesAt, pageUrl, requireHostedPages } from '#shared/access/hosted-pages.ts';
import { pages } from '#shared/contract/pages.ts';
import { readPageFile } from '#shared/docs/page-files.ts';
import { replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { withParameters } from '#shared/oauth/redirect-uri.ts';

/** The pages run nothing but their own scripts, ask nobody but the service, and stand in no frame. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export const handler = endpoint(pages.page, async ({ params: { project_id, page }, client }) => {
  const project = await requireHostedPages(project_id);
  // Links of mails lead here that are older than the setting of the domain. A browser keeps their fragments.
  if (!arePagesAt(project, client.host)) {
    const query = new URLSearchParams(client.search).toString();
    return redirectTo(withParameters(`${pageUrl(project, page)}${query && `?${query}`}`, {}));
  }
  const file = 'page.html';
  const load = async () => (await readPageFile(import.meta.url, file)) ?? '';
  return replyCompressed(client.accept_encoding, { file, base: import.meta.url, load }, headers);
});
