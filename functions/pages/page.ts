import {
  arePagesAt,
  isOfService,
  pageUrl,
  requireHostedPages,
} from '#shared/access/hosted-pages.ts';
import { clearSessionCookie, readSessionCookie } from '#shared/access/session-cookie.ts';
import { captchaFrameHeaders } from '#shared/captcha/frame-policy.ts';
import { captchaFrame, pages } from '#shared/contract/pages.ts';
import { readPageFile } from '#shared/docs/page-files.ts';
import { replyCompressed } from '#shared/http/compressed-reply.ts';
import { endpoint } from '#shared/http/page-endpoint.ts';
import { redirectTo } from '#shared/http/reply.ts';
import { notFound } from '#shared/model/errors.ts';
import { withParameters } from '#shared/oauth/redirect-uri.ts';

/** The pages run nothing but their own scripts, ask nobody but the service, and stand in no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];
const headersWith = (...more: string[]) => ({
  'content-security-policy': [...policy, ...more].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
});
const plain = headersWith();
/** Of a project with a captcha, which is shown in a document of its own. */
const withFrame = headersWith("frame-src 'self'");

export const handler = endpoint(pages.page, async ({ params: { project_id, page }, client }) => {
  const project = await requireHostedPages(project_id);
  const leaves = page === 'sign-out' && readSessionCookie(client.cookies, project_id) !== undefined;
  // A session of before the setting of the domain is ended where its cookie is: at the domain nobody gets it. Nothing
  // can end it at a former domain, nor for a minute at a new one that this instance does not know yet: there the cookie
  // goes alone.
  const endsHere = leaves && isOfService(client.host);
  // Links of mails lead here that are older than that. A browser keeps their fragments.
  if (!arePagesAt(project, client.host) && !endsHere) {
    const query = new URLSearchParams(client.search).toString();
    const to = withParameters(`${pageUrl(project, page)}${query && `?${query}`}`, {});
    return redirectTo(to, { status: 302, cookies: leaves ? [clearSessionCookie(project_id)] : [] });
  }
  const { captcha } = project;
  const isFrame = page === captchaFrame;
  if (isFrame && !captcha) throw notFound('the project has no captcha');
  const file = isFrame ? 'captcha.html' : 'page.html';
  const load = async () => (await readPageFile(import.meta.url, file)) ?? '';
  const ofPage = captcha ? withFrame : plain;
  const headers = isFrame && captcha ? captchaFrameHeaders(captcha) : ofPage;
  return replyCompressed(client.accept_encoding, { file, base: import.meta.url, load }, headers);
});
