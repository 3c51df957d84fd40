import { once } from 'node:events';
import { request as ask, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import express from 'express';
import { expect, test } from 'vitest';
import { createCookieHandler, forNode, readAccessToken } from '../../../client/cookies.ts';
import { createBackend } from '../../../client/server.ts';
import { proofs } from '../../support/cookie-browser.ts';
import { serve } from '../../support/serve.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const people = await signInProject(world);
const { project_id: projectId, secret } = people.project;
const handler = createCookieHandler({ url: world.url, projectId, secure: false });

const type = 'application/json';
const kinds = {
  'node:http': forNode(handler),
  Express: express().use('/auth', forNode(handler)),
  'Express with json()': express().use(express.json()).use('/auth', forNode(handler)),
  'Express with raw()': express().use(express.raw({ type })).use('/auth', forNode(handler)),
  'Express with text()': express().use(express.text({ type })).use('/auth', forNode(handler)),
};

async function listen(app: RequestListener) {
  const origin = await serve(app);
  return { port: new URL(origin).port, origin };
}

/** The headers of a POST of a page of that origin. */
async function headersOf(origin: string) {
  const response = await fetch(`${origin}/auth/csrf`);
  const { csrf_token } = (await response.json()) as { csrf_token: string };
  const [cookie = ''] = (response.headers.getSetCookie()[0] ?? '').split(';');
  return { origin, cookie, ...proofs(csrf_token) };
}

test.each(Object.entries(kinds))(
  '%s: signs in, and the cookie identifies the user',
  async (_, app) => {
    const { origin } = await listen(app);
    const email = `ada${origin.slice(-5)}@example.com`;
    const response = await fetch(`${origin}/auth/sign-in/code`, {
      method: 'POST',
      headers: await headersOf(origin),
      body: JSON.stringify(await people.code(email)),
    });
    expect(response.status).toBe(201);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^session=\S+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
    const { uid } = (await response.json()) as { uid: string };

    const backend = createBackend({ url: world.url, projectId });
    const headers = { cookie: cookie.split(';')[0] };
    const token = readAccessToken({ headers }, { secure: false }) ?? '';
    expect((await backend.verify(token)).sub).toBe(uid);
    expect(readAccessToken({ headers })).toBeUndefined();
    expect(readAccessToken({ headers: new Headers() }, { secure: false })).toBeUndefined();
  },
);

test('a path that looks like another host does not change the origin', async () => {
  const { origin, port } = await listen(forNode(handler));
  const headers = { ...(await headersOf(origin)), origin: 'http://other.example.com' };
  for (const path of [
    '//other.example.com/auth/sign-out',
    'http://other.example.com/auth/sign-out',
    '/auth/sign-out',
  ]) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = ask({ port, host: '127.0.0.1', path, method: 'POST', headers }, (answer) => {
        void text(answer);
        resolve(answer.statusCode);
      });
      request.on('error', reject).end('{}');
    });
    expect([403, 404], path).toContain(status);
  }
});

test.each(Object.entries(kinds))(
  '%s: malformed requests do not stop the server',
  async (_, app) => {
    const { origin, port } = await listen(app);
    const of = { port, host: '127.0.0.1', path: '/auth/csrf' };
    for (const asked of [{ method: 'TRACE' }, { headers: { host: 'a:99999' } }]) {
      const [answer] = (await once(ask({ ...of, ...asked }).end(), 'response')) as [
        IncomingMessage,
      ];
      expect(JSON.parse(await text(answer))).toMatchObject({
        status: 400,
        code: 'invalid_request',
      });
    }
    expect((await fetch(`${origin}/auth/csrf`)).status).toBe(200);
  },
);

test('413 for a body that is too long', async () => {
  const { origin } = await listen(forNode(handler));
  const response = await fetch(`${origin}/auth/sign-out`, {
    method: 'POST',
    headers: await headersOf(origin),
    body: 'x'.repeat(70_000),
  });
  expect(response.status).toBe(413);
});

test('a secret is read when first needed, once, and again after a failure', async () => {
  let reads = 0;
  const backend = createBackend({
    url: world.url,
    projectId,
    secret: async () => {
      reads += 1;
      if (reads === 1) throw new Error('The store is away');
      return secret;
    },
  });
  await backend.verify((await people.signInByCode('grace@example.com')).access_token);
  expect(reads).toBe(0);
  const create = () => backend.api.users.create({ email: 'bo@example.com' });
  await expect(create()).rejects.toThrow('The store is away');
  await Promise.all([create(), create()]);
  expect(reads).toBe(2);
});

test('calls that need a secret fail without one', async () => {
  const backend = createBackend({ url: world.url, projectId });
  await expect(backend.introspect('x')).rejects.toMatchObject({ status: 401 });
});
