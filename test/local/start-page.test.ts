/** @module-tag alone */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../local/http/gateway.ts';
import { mailPages } from '../../local/http/mail-page.ts';
import { credentialPath, startPages } from '../../local/http/start-page.ts';
import { fromSource } from '../../local/load.ts';
import { docs } from '../../shared/contract/docs.ts';

const projects = [
  { project_id: 'demo', secret: 'wsk_one' },
  { project_id: 'other', secret: 'wsk_<two>' },
];

const mail = {
  message_id: 'm-1',
  from: 'login@example.com',
  to: 'ada@example.com',
  subject: 'Your code',
  text: 'wsk_code',
  html: '<p>wsk_code</p>',
  received_at: '2026-11-26T12:00:00.000Z',
};
const [startPage, mailPage] = [startPages(projects), mailPages(() => [mail])];
const mailPaths = ['/_local/mail', '/_local/mail.json'];

/**
 * Serves the pages of the local server before the documentation, and requests a path under a host name of the server.
 */
async function ask(path: string, host?: string) {
  process.env['BASE_URL'] ??= 'http://127.0.0.1';
  process.env['LOG_LEVEL'] ??= 'silent';
  const { port, close } = await startGateway({
    routes: Object.values(docs),
    load: fromSource,
    fallback: null,
    page: (...request) => startPage(...request) ?? mailPage(...request),
    functionTimeout: 20_000,
  });
  onTestFinished(close);
  const headers = host === undefined ? {} : { host: host.replace('PORT', String(port)) };
  const request = get({ host: '127.0.0.1', port, path, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode: status, headers: answered } = response;
  return { status, headers: answered, body: await text(response), port };
}

test('the page shows the credentials, links to documentation and mails, and a command to copy', async () => {
  const { status, headers, body, port } = await ask('/');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; .*frame-ancestors 'none'/,
  );
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
  expect(links).toEqual(['/docs', '/docs/errors', '/_local/mail', '/openapi.json']);
  expect(body).toContain('demo:wsk_one\nother:wsk_&#60;two&#62;');
  expect(body).toContain(`api=http://localhost:${port} basic=demo:wsk_one`);
  expect(body).not.toContain('<script');
});

test('a script can read the first credential as text', async () => {
  const { status, headers, body } = await ask(credentialPath);
  expect([status, headers['content-type'], body]).toEqual([200, 'text/plain', 'demo:wsk_one\n']);
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test.each(['localhost:PORT', '127.0.0.1:PORT', '[::1]:PORT', 'LOCALHOST'])(
  'start page and mails are shown under the name %s of this machine',
  async (host) => {
    expect((await ask('/', host)).body).toContain('wsk_one');
    for (const path of mailPaths) expect((await ask(path, host)).body).toContain('wsk_code');
  },
);

test.each([
  'evil.example:PORT',
  'localhost.evil.example',
  '192.0.2.1:PORT',
  '127.0.0.1.evil.example',
])(
  'under the foreign name %j, the response is that of a deployment, without credentials or mails',
  async (host) => {
    const start = await ask('/', host);
    expect([start.status, start.headers.location]).toEqual([302, '/docs']);
    expect(start.body).not.toContain('wsk_');
    for (const path of [credentialPath, ...mailPaths]) {
      const { status, body } = await ask(path, host);
      expect(status, path).toBe(404);
      expect(body).not.toContain('wsk_');
    }
  },
);

test.each(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '', '127.evil'])(
  'to the remote address %j neither start page nor mails are shown',
  (remoteAddress) => {
    const from = { headers: { host: 'localhost:3000' }, socket: { remoteAddress } };
    const here = { ...from, socket: { remoteAddress: '127.0.0.1' } };
    const shown = (request: object) => [
      startPage('GET', '/', request as IncomingMessage)?.status,
      ...mailPaths.map((path) => mailPage('GET', path, request as IncomingMessage)?.status),
    ];
    expect(shown(from)).toEqual([undefined, undefined, undefined]);
    expect(shown(here)).toEqual([200, 200, 200]);
  },
);
