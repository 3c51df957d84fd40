import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test, vi } from 'vitest';
import { freePort } from '../../local/loopback.ts';
import { startGuarded } from '../../local/process.ts';
import { openBrowser } from '../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

/** The client in workerd, the runtime of Cloudflare Workers, which has no Node APIs. */
const world = await startWorld();
const people = await signInProject(world);
const { project_id: projectId, secret } = people.project;
const webhookSecret = `whsec_${btoa('the secret of a webhook, 32 bytes')}`;

const code = `
import { createCookieHandler } from './cookies.ts';
import { createAuth, createClient } from './index.ts';
import { createBackend, verifyWebhook } from './server.ts';

const pages = {
  async '/webhook'(request, { webhookSecret: secret }) {
    const { headers } = request;
    return { id: (await verifyWebhook({ secret, headers, body: await request.text() })).id };
  },
  async '/sign-in'(request, { service }) {
    const auth = createAuth(service);
    await auth.signIn.password(await request.json());
    const { body } = await auth.api.users.getMe();
    await auth.signOut();
    return body;
  },
  async '/retry'({ headers }, { service: { url } }) {
    const authorization = headers.get('authorization');
    const targets = ['http://127.0.0.1:1/'];
    const send = (target, init) => fetch(targets.shift() ?? target, init);
    return (await createClient(url, { authorization, fetch: send }).users.getMe()).body;
  },
  async '/'(request, { service }) {
    const backend = createBackend(service);
    const { claims, ...refusal } = await backend.authenticateRequest(request, { exact: true });
    if (!claims) throw new Response(refusal.code, refusal);
    return (await backend.api.users.get({ uid: claims.sub })).body;
  },
};

export default {
  async fetch(request, { settings }) {
    const { pathname } = new URL(request.url);
    const { service } = settings;
    if (pathname.startsWith('/auth/'))
      return createCookieHandler({ ...service, secure: false })(request);
    try {
      return Response.json(await pages[pathname](request, settings));
    } catch (error) {
      return error instanceof Response ? error : new Response(String(error), { status: 500 });
    }
  },
};
`;

async function startWorker(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worker-'));
  await build({
    stdin: { contents: code, resolveDir: join(import.meta.dirname, '../../client') },
    ...{ bundle: true, format: 'esm', platform: 'browser', outfile: join(folder, 'worker.js') },
  });
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const settings = { webhookSecret, service: { url: world.url, projectId, secret } };
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "${address}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "settings", json = ${JSON.stringify(JSON.stringify(settings))})],
);
`;
  await writeFile(join(folder, 'config.capnp'), config);
  const binary = createRequire(import.meta.url).resolve('@cloudflare/workerd-linux-64/bin/workerd');
  const worker = await startGuarded([binary, 'serve', join(folder, 'config.capnp')]);
  afterAll(async () => {
    await worker.close();
    await rm(folder, { recursive: true });
  });
  const answers = async () => {
    if (worker.ended() !== undefined) return worker.ended();
    return (await fetch(url)).status;
  };
  expect(await vi.waitFor(answers, { timeout: 20_000 })).toBe(401);
  return url;
}

const isThere = process.platform === 'linux' && process.arch === 'x64';
const worker = isThere ? await startWorker() : '';

test.skipIf(!isThere)('a token is verified, and its session introspected', async () => {
  const { bearer, uid, access_token } = await people.signUp('ada@example.com');
  const ask = (authorization: string) => fetch(worker, { headers: { authorization } });
  expect(await (await ask(bearer)).json()).toMatchObject({ uid, email: 'ada@example.com' });
  const [head = '', body = '', signature = ''] = access_token.split('.');
  const forged = await ask(`Bearer ${head}.${body}.${[...signature].toReversed().join('')}`);
  expect([forged.status, await forged.text()]).toEqual([401, 'invalid_token']);
  await world.as(bearer).sessions.signOut();
  expect((await ask(bearer)).status).toBe(401);
});

test.skipIf(!isThere)('a request without a connection is sent again', async () => {
  const { bearer: authorization, uid } = await people.signUp('barbara@example.com');
  const answer = await fetch(`${worker}/retry`, { headers: { authorization } });
  expect(JSON.parse(await answer.text())).toMatchObject({ uid });
});

test.skipIf(!isThere)('a page signs in, calls the service and signs out', async () => {
  await people.signUp('grace@example.com');
  const body = JSON.stringify({ email: 'grace@example.com', password: goodPassword });
  const answer = await fetch(`${worker}/sign-in`, { method: 'POST', body });
  expect(await answer.json()).toMatchObject({ email: 'grace@example.com' });
});

test.skipIf(!isThere)('the session is in a cookie', async () => {
  await people.signUp('edsger@example.com');
  const browser = openBrowser(worker);
  const signedIn = await browser.post('/sign-in/password', {
    ...{ email: 'edsger@example.com', password: goodPassword },
  });
  expect([signedIn.status, signedIn.body['refresh_token']]).toEqual([201, undefined]);
  expect((await browser.post('/token', { user: true })).body).toMatchObject({
    user: { email: 'edsger@example.com' },
  });
  expect((await browser.post('/sign-out')).status).toBe(204);
  expect((await browser.post('/token')).status).toBe(401);
});

test.skipIf(!isThere)('a webhook is verified', async () => {
  const id = 'evt_1';
  const now = new Date();
  const body = JSON.stringify({ id, type: 'user.created', data: {} });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(now.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(webhookSecret).sign(id, now, body),
  };
  const deliver = async (sent: string) => {
    const answer = await fetch(`${worker}/webhook`, { method: 'POST', headers, body: sent });
    return answer.text();
  };
  expect(JSON.parse(await deliver(body))).toEqual({ id });
  expect(await deliver(`${body} `)).toContain('WebhookError');
});
