import type { IncomingMessage } from 'node:http';
import { escapeHtml } from '../../shared/mail/sanitize.ts';
import type { Mail } from '../aws/ses.ts';
import { isLocal } from '../loopback.ts';
import type { Answer } from './answer.ts';
import { withLinksInNewTabs } from './mail-frame.ts';

/** Maximum mails on the page; the JSON has all retained mails. */
const pageSize = 50;

/**
 * No script, no request. The frames of the mails inherit this policy, and mails contain their own styles, so inline
 * styles are allowed.
 */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every page of the local server. */
const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the mails that the local mail service accepted, newest first: `/_local/mail` as a page and
 * `/_local/mail.json`. Mails contain codes and links that sign in, so they respond only to this machine.
 */
export function mailPages(mails: () => readonly Mail[]) {
  return (method: string, target: string, request: IncomingMessage): Answer | undefined => {
    const [path] = target.split('?');
    if (method !== 'GET' || !isLocal(request)) return undefined;
    if (path === '/_local/mail') return localPage('text/html; charset=utf-8', page(mails()));
    if (path === '/_local/mail.json') return localPage('application/json', JSON.stringify(mails()));
    return undefined;
  };
}

/** A page or file of the local server. */
export function localPage(type: string, body: string): Answer {
  return { status: 200, headers: { ...pageHeaders, 'content-type': type }, body };
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem; }
  header { display: flex; justify-content: space-between; align-items: baseline; flex-wrap: wrap; }
  h1 { font-size: 1.25rem; }
  article { border: 1px solid #8886; border-radius: .5rem; margin: 1rem 0; overflow: hidden; }
  h2 { font-size: 1rem; margin: .75rem 1rem 0; overflow-wrap: anywhere; }
  dl { margin: 0 1rem .75rem; font-size: .875rem; opacity: .75; overflow-wrap: anywhere; }
  dt, dd { display: inline; margin: 0; }
  iframe { display: block; width: 100%; height: 32rem; border: 0; background: #fff; resize: vertical; }
  summary { padding: .5rem 1rem; cursor: pointer; font-size: .875rem; }
  pre { margin: 0 1rem 1rem; font-size: .875rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

function page(mails: readonly Mail[]): string {
  const newest = mails.slice(0, pageSize);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mail</title>
<style>${style}</style>
</head>
<body>
<header><h1>Mail that was sent here</h1><a href="/_local/mail.json">as JSON</a></header>
${newest.length === 0 ? '<p>None yet. Reload this page after a request that sends one.</p>' : ''}
${newest.map(article).join('\n')}
</body>
</html>
`;
}

function article({ subject, from, to, received_at, text, html }: Mail): string {
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<dl>
<div><dt>To</dt> <dd>${escapeHtml(to)}</dd></div>
<div><dt>From</dt> <dd>${escapeHtml(from)}</dd></div>
<div><dt>At</dt> <dd><time>${escapeHtml(received_at)}</time></dd></div>
</dl>
<iframe title="${escapeHtml(subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" srcdoc="${escapeHtml(withLinksInNewTabs(html))}"></iframe>
<details><summary>As plain text</summary>
<pre>${escapeHtml(text)}</pre>
</details>
</article>`;
}
