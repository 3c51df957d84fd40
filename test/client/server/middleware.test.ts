import type { IncomingMessage } from 'node:http';
import express from 'express';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import {
  type Claims,
  createBackend,
  forAuthorizer,
  forExpress,
  forFastify,
  forHono,
  forLambda,
  IntrospectionError,
} from '../../../client/server.ts';
import { serve } from '../../support/serve.ts';
import { startWorld } from '../../support/world.ts';

/** Each middleware with the request that its framework passes. */

const world = await startWorld();
const { project_id: projectId, secret } = world.project;
const service = { url: world.url, projectId, secret };
const backend = createBackend(service);
const away = createBackend({ ...service, fetch: () => Promise.reject(new TypeError('away')) });
/** Its own secret is refused, so it can only verify offline. */
const wrong = createBackend({ ...service, secret: `${secret}x` });
/** The keys were read, and then the service becomes unreachable. */
const halfway = createBackend({
  ...service,
  fetch: async (url, init) =>
    String(url).endsWith('/introspect')
      ? new Response('', { status: 503, headers: { 'retry-after': '60' } })
      : fetch(url, init),
});
const { uid, bearer } = await world.user();
const ended = await world.user();
await world.as(ended).sessions.signOut();
const exact = { exact: true };

const challenge = 'Bearer realm="user"';
const problem = JSON.stringify({
  type: 'about:blank',
  title: 'Unauthorized',
  status: 401,
  code: 'unauthenticated',
});
const refused = {
  status: 401,
  type: 'application/problem+json',
  challenge,
  body: problem,
};
const summary = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  challenge: response.headers.get('www-authenticate'),
  body: await response.text(),
});

test('Hono', async () => {
  const run = async (authorization?: string, options?: typeof exact) => {
    const set: [string, Claims][] = [];
    let passed = false;
    const c = {
      req: {
        raw: new Request('http://localhost/', authorization ? { headers: { authorization } } : {}),
      },
      set: (name: string, value: Claims) => void set.push([name, value]),
    };
    const response = await forHono(backend, options)(c, async () => {
      passed = true;
    });
    return { response, passed, set };
  };
  const claims: unknown = expect.objectContaining({ sub: uid });
  expect(await run(bearer)).toEqual({
    response: undefined,
    passed: true,
    set: [['claims', claims]],
  });
  const { response, ...rest } = await run();
  expect(rest).toEqual({ passed: false, set: [] });
  expect(response && (await summary(response))).toEqual(refused);
  expect([(await run(ended.bearer)).passed, (await run(ended.bearer, exact)).passed]).toEqual([
    true,
    false,
  ]);
});

test('Express', async () => {
  const app = async (middleware: ReturnType<typeof forExpress>) => {
    const url = await serve((request: IncomingMessage, node) => {
      const response = Object.assign(node, { locals: {} as { claims: Claims } });
      void middleware(request, response, () => response.end(response.locals.claims.sub));
    });
    return (authorization?: string) =>
      fetch(url, authorization ? { headers: { authorization } } : {});
  };
  const get = await app(forExpress(backend));
  expect(await summary(await get(bearer))).toMatchObject({ status: 200, body: uid });
  expect(await summary(await get())).toEqual(refused);
  expect((await get(ended.bearer)).status).toBe(200);
  expect((await (await app(forExpress(backend, exact)))(ended.bearer)).status).toBe(401);
});

test('Fastify', async () => {
  const run = async (authorization?: string, options?: typeof exact, raw: string[] = []) => {
    const sent: unknown[] = [];
    const reply = {
      code: (status: number) => sent.push(status),
      headers: (headers: Record<string, string>) => sent.push(headers),
      send: (body: string) => {
        sent.push(body);
        return reply;
      },
    };
    const request: {
      headers: Record<string, string>;
      raw: { rawHeaders: string[] };
      claims?: Claims;
    } = {
      headers: authorization ? { authorization } : {},
      raw: { rawHeaders: raw },
    };
    const result = await forFastify(backend, options)(request, reply);
    return { sent, ended: result === reply, sub: request.claims?.sub };
  };
  expect(await run(bearer)).toEqual({ sent: [], ended: false, sub: uid });
  const headers = { 'www-authenticate': challenge, 'content-type': 'application/problem+json' };
  expect(await run()).toEqual({ sent: [401, headers, problem], ended: true, sub: undefined });
  expect((await run(ended.bearer, exact)).ended).toBe(true);
  const twice = ['authorization', bearer, 'Authorization', 'Bearer x'];
  expect((await run(bearer, undefined, twice)).ended).toBe(true);
});

test.each([
  ['the keys cannot be read', away, undefined, 503],
  ['the service is unavailable', halfway, exact, 503],
  ['the secret of the backend is refused', wrong, exact, 500],
] as const)(
  'a valid token gets an error of the server, not a 401, if %s',
  async (_, of, options, status) => {
    const app = express();
    // In this mode its error handler logs nothing.
    app.set('env', 'test');
    app.get('/', forExpress(of, options), (_request, response) => void response.send('served'));
    const url = await serve(app);
    const headers = { authorization: bearer };
    expect((await fetch(url, { headers })).status).toBe(status);
    const hono = new Hono<{ Variables: { claims: Claims } }>();
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    hono.get('/', forHono(of, options), (c) => c.text('served'));
    const response = await hono.request('/', { headers });
    expect([response.status, response.headers.get('retry-after')]).toEqual([
      status,
      of === halfway ? '60' : null,
    ]);
    if (status === 503)
      expect(await response.json()).toMatchObject({ status, code: 'temporarily_unavailable' });
    // The misconfiguration is logged.
    else expect(log.mock.calls).toEqual([[expect.any(IntrospectionError)]]);
    log.mockRestore();
  },
);

test('Lambda behind API Gateway', async () => {
  const handler = forLambda(
    backend,
    async (
      event: { headers?: Record<string, string>; rawPath: string },
      { sub },
      context: string,
    ) => ({
      statusCode: 200,
      body: [event.rawPath, sub, context].join(' '),
    }),
  );
  expect(await handler({ headers: { authorization: bearer }, rawPath: '/me' }, 'context')).toEqual({
    statusCode: 200,
    body: `/me ${uid} context`,
  });
  expect(await handler({ rawPath: '/me' }, 'context')).toEqual({
    statusCode: 401,
    headers: { 'www-authenticate': challenge, 'content-type': 'application/problem+json' },
    body: problem,
  });
  const open = forLambda(backend, async () => 'passed');
  expect(await open({ headers: null }, undefined)).toMatchObject({ statusCode: 401 });
  const careful = forLambda(backend, async () => 'passed', exact);
  const event = { headers: { authorization: ended.bearer } };
  expect(await careful(event, undefined)).toMatchObject({ statusCode: 401 });
});

test('Lambda authorizer', async () => {
  const authorize = (authorization: string, options?: typeof exact, of = backend) =>
    forAuthorizer(of, options)({ headers: { authorization } });
  expect(await authorize(bearer)).toEqual({
    isAuthorized: true,
    context: expect.objectContaining({ sub: uid, aud: projectId }),
  });
  const no = { isAuthorized: false, context: {} };
  expect(await authorize(world.project.basic)).toEqual(no);
  expect(await authorize(ended.bearer, exact)).toEqual(no);
  expect(await forAuthorizer(backend)({})).toEqual(no);
  expect(await forAuthorizer(backend)({ headers: null })).toEqual(no);
  await expect(authorize(bearer, undefined, away)).rejects.toMatchObject({ status: 503 });
});
