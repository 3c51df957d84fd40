import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../local/gateway.ts';
import { fromSource } from '../../local/load.ts';
import { credentialPath, startPages } from '../../local/start-page.ts';
import { docs } from '../../shared/contract/docs.ts';

const projects = [
  { project_id: 'demo', secret: 'wsk_one' },
  { project_id: 'other', secret: 'wsk_<two>' },
];

/** Serves the start page before the documentation, and asks for a path by a name of the server. */
async function ask(path: string, host?: string) {
  process.env['BASE_URL'] ??= 'http://127.0.0.1';
  process.env['LOG_LEVEL'] ??= 'silent';
  const { port, close } = await startGateway({
    routes: Object.values(docs),
    load: fromSource,
    fallback: null,
    page: startPages(projects),
    functionTimeout: 20_000,
  });
  onTestFinished(close);
  const headers = host === undefined ? {} : { host: host.replace('PORT', String(port)) };
  const request = get({ host: '127.0.0.1', port, path, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode: status, headers: answered } = response;
  return { status, headers: answered, body: await text(response), port };
}

test('the page has credential, documentation, mail and the next command', async () => {
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

test('a script finds the first credential as text', async () => {
  const { status, headers, body } = await ask(credentialPath);
  expect([status, headers['content-type'], body]).toEqual([200, 'text/plain', 'demo:wsk_one\n']);
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test.each(['localhost:PORT', '127.0.0.1:PORT', '[::1]:PORT', 'LOCALHOST'])(
  'by the name %s of this machine it is shown',
  async (host) => {
    expect((await ask('/', host)).body).toContain('wsk_one');
  },
);

test.each([
  'evil.example:PORT',
  'localhost.evil.example',
  '192.0.2.1:PORT',
  '127.0.0.1.evil.example',
])(
  'by the name %j, which may be of a page elsewhere, it is what a deployment answers',
  async (host) => {
    const start = await ask('/', host);
    expect([start.status, start.headers.location]).toEqual([302, '/docs']);
    const credential = await ask(credentialPath, host);
    expect(credential.status).toBe(404);
    for (const { body } of [start, credential]) expect(body).not.toContain('wsk_');
  },
);

test.each(['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '', '127.evil'])(
  'to the address %j it is not shown',
  (remoteAddress) => {
    const from = { headers: { host: 'localhost:3000' }, socket: { remoteAddress } };
    const show = (request: object) =>
      startPages(projects)('GET', '/', request as unknown as IncomingMessage);
    expect(show(from)).toBeUndefined();
    expect(show({ ...from, socket: { remoteAddress: '127.0.0.1' } })?.status).toBe(200);
  },
);
