import type { IncomingMessage } from 'node:http';
import { escapeHtml } from '../../shared/mail/sanitize.ts';
import { tour } from '../banner.ts';
import { isLocal } from '../loopback.ts';
import type { Credential } from '../seed.ts';
import type { Answer } from './answer.ts';
import { localPage } from './mail-page.ts';

/** Path at which a script finds the first credential. */
export const credentialPath = '/_local/credential';

/**
 * Serves the start page at `/`, where a deployment redirects to the documentation, and the Basic credential as text.
 * Both show a secret, so they respond only to this machine.
 */
export function startPages(projects: readonly Credential[]) {
  return (method: string, target: string, request: IncomingMessage): Answer | undefined => {
    const [path] = target.split('?');
    if (method !== 'GET' || (path !== '/' && path !== credentialPath)) return undefined;
    if (!isLocal(request)) return undefined;
    const credentials = projects.map((each) => `${each.project_id}:${each.secret}`);
    if (path === credentialPath) return localPage('text/plain', `${credentials[0] ?? ''}\n`);
    const url = `http://localhost:${request.socket.localPort}`;
    return localPage('text/html; charset=utf-8', page(url, credentials));
  };
}

function page(url: string, credentials: readonly string[]): string {
  const lines = tour(url, credentials[0] ?? '').slice(0, 4);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Identity and workspace service</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem; }
  h1 { font-size: 1.25rem; }
  h2 { font-size: 1rem; }
  code, pre { font-size: .875rem; overflow-wrap: anywhere; white-space: pre-wrap; }
  pre { border: 1px solid #8886; border-radius: .5rem; padding: .75rem 1rem; }
</style>
</head>
<body>
<h1>Identity and workspace service</h1>
<p>It runs on this machine at <code>${url}</code>.</p>
<ul>
<li><a href="/docs">Documentation</a> of every endpoint, and <a href="/docs/errors">every error</a></li>
<li><a href="/_local/mail">Mail</a> that was sent here; none leaves this machine</li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>
<h2>Basic credential of your backend</h2>
<pre>${credentials.map(escapeHtml).join('\n')}</pre>
<h2>Next, in a shell</h2>
<pre>${lines.map(([title, line]) => escapeHtml(`# ${title}\n${line}`)).join('\n')}</pre>
</body>
</html>
`;
}
