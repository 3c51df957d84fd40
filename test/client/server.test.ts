import { describe, expect, test, vi } from 'vitest';
import {
  type ApiError,
  type AuthenticateOptions,
  createBackend,
  IntrospectionError,
  type RequestLike,
} from '../../client/server.ts';
import { freePort } from '../../local/loopback.ts';
import { serve } from '../support/serve.ts';
import { pass } from '../support/started.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id: projectId, secret } = world.project;
const backend = createBackend({ url: world.url, projectId, secret });
const person = await world.user();
const { uid, bearer } = person;

describe('a backend', () => {
  test('calls the service with its credential', async () => {
    const { status, body } = await backend.api.users.create({ email: 'ada@example.com' });
    expect([status, body.email]).toEqual([201, 'ada@example.com']);
  });

  test('introspects whether a token is valid and its session live', async () => {
    const grace = await world.user();
    expect(await backend.introspect(grace.access_token)).toMatchObject({
      active: true,
      sub: grace.uid,
    });
    await world.as(grace).sessions.signOut();
    expect(await backend.introspect(grace.access_token)).toEqual({ active: false });
    expect(await backend.introspect('x')).toEqual({ active: false });
  });

  test('needs a URL', () => {
    expect(() => createBackend({ url: 'id.example.com', projectId, secret })).toThrow(TypeError);
  });
});

const codeOf = async (request: RequestLike, options?: AuthenticateOptions) => {
  const { claims, ...refusal } = await backend.authenticateRequest(request, options);
  return claims ? claims.sub : { ...refusal };
};
const refusal = (code: string, description?: string) => ({
  status: 401,
  code,
  headers: {
    'www-authenticate': description
      ? `Bearer realm="user", error="invalid_token", error_description="${description}"`
      : 'Bearer realm="user"',
  },
});

describe('a request', () => {
  const accepted: Record<string, RequestLike> = {
    'of Fetch': new Request('http://localhost/', { headers: { authorization: bearer } }),
    'with Headers': { headers: new Headers({ Authorization: bearer }) },
    'of Node': { headers: { authorization: bearer, cookie: 'a=b', 'x-more': ['a', 'b'] } },
    'with headers as sent': { headers: { Authorization: bearer } },
    'with the scheme in small letters': {
      headers: { authorization: bearer.toLowerCase().slice(0, 7) + bearer.slice(7) },
    },
    'with a list of one': { headers: { AUTHORIZATION: [bearer] } },
    'with a header called get': { headers: { get: 'x', authorization: bearer } },
  };
  test.each(Object.entries(accepted))('%s is authenticated', async (_, request) => {
    expect(await codeOf(request)).toBe(uid);
  });

  const without: Record<string, RequestLike> = {
    'without headers': {},
    'without a credential': { headers: {} },
    'of Fetch without one': new Request('http://localhost/'),
    'with an empty one': { headers: { authorization: '' } },
    'with another scheme': { headers: { authorization: world.project.basic } },
    'with the scheme alone': { headers: { authorization: 'Bearer' } },
    'with a blank in the token': { headers: { authorization: `${bearer} x` } },
    'with the token alone': { headers: { authorization: person.access_token } },
    'with the token in a cookie': { headers: { cookie: `authorization=${bearer}` } },
  };
  test.each(Object.entries(without))(
    '%s is refused without an error code in the challenge',
    async (_, request) => {
      expect(await codeOf(request)).toEqual(refusal('unauthenticated'));
    },
  );

  const twice = new Headers({ authorization: bearer });
  twice.append('authorization', bearer);
  const several: Record<string, RequestLike> = {
    'of Fetch': { headers: twice },
    'in a list': { headers: { authorization: [bearer, bearer] } },
    'in two spellings': { headers: { authorization: bearer, Authorization: bearer } },
    'joined by API Gateway': { headers: { authorization: `${bearer},Basic eDp4` } },
    'of which Node shows only the first': {
      headers: { authorization: bearer },
      rawHeaders: ['Authorization', bearer, 'authorization', 'Bearer x'],
    },
  };
  test.each(Object.entries(several))('with several credentials is refused: %s', async (_, each) => {
    const challenge = refusal('invalid_token', 'More than one credential was sent');
    expect(await codeOf(each)).toEqual(challenge);
  });

  test('over HTTP with two credentials is refused', async () => {
    const found: unknown[] = [];
    const url = await serve((request, response) => {
      void codeOf(request).then((code) => {
        found.push(code);
        response.end();
      });
    });
    const { request: send } = await import('node:http');
    for (const authorization of [[bearer, 'Bearer x'], [bearer]])
      await new Promise((resolve) => {
        send(url, { headers: { authorization } as never }, resolve).end();
      });
    expect(found).toEqual([refusal('invalid_token', 'More than one credential was sent'), uid]);
  });

  test('with an invalid or expired token is refused with the reason', async () => {
    const forged = { headers: { authorization: `${bearer.slice(0, -8)}AAAAAAAA` } };
    expect(await codeOf(forged)).toEqual(refusal('invalid_token', 'The access token is not valid'));
    pass(606_000);
    const challenge = refusal('token_expired', 'The access token expired');
    expect(await codeOf({ headers: { authorization: bearer } })).toEqual(challenge);
  });

  test('of an ended session is refused with exact: true, and otherwise accepted until the expiry', async () => {
    const grace = await world.user();
    const request = { headers: { authorization: grace.bearer } };
    expect(await codeOf(request, { exact: true })).toBe(grace.uid);
    await world.as(grace).sessions.signOut();
    expect(await codeOf(request)).toBe(grace.uid);
    const challenge = refusal('invalid_token', 'The access token is not valid');
    expect(await codeOf(request, { exact: true })).toEqual(challenge);
  });

  test('throws an error of the server if keys or introspection are unavailable', async () => {
    const port = await freePort();
    const line = { url: world.url, projectId, secret };
    const away = (url: string | URL | Request) =>
      fetch(String(url).replace(world.url, `http://127.0.0.1:${port}`));
    const cut = createBackend({ ...line, fetch: away });
    const request = { headers: { authorization: bearer } };
    await expect(cut.authenticateRequest(request)).rejects.toMatchObject({
      name: 'KeySetError',
      status: 503,
      code: 'temporarily_unavailable',
      cause: expect.any(TypeError),
    });
    const wrong = createBackend({ ...line, secret: `${secret}x` });
    await expect(wrong.authenticateRequest(request, { exact: true })).rejects.toMatchObject({
      ...{ status: 500, statusCode: 500, code: 'internal_error' },
      cause: { name: 'ApiError', status: 401, code: 'unauthenticated' },
    });
    const asked = (response: Response | TypeError) => {
      const half = createBackend({
        ...line,
        async fetch(url, init) {
          if (!String(url).endsWith('/introspect')) return fetch(url, init);
          if (response instanceof TypeError) throw response;
          return response.clone();
        },
      });
      return half.authenticateRequest(request, { exact: true });
    };
    const headers = { 'retry-after': '60' };
    for (const status of [429, 500, 502, 503, 504]) {
      const failure = await asked(new Response('', { status, headers })).catch((e: unknown) => e);
      expect(failure).toBeInstanceOf(IntrospectionError);
      expect(failure).toMatchObject({ status: 503, statusCode: 503, cause: { status } });
      expect(failure).toMatchObject({ code: 'temporarily_unavailable', retryAfter: 60 });
    }
    const none = { status: 503, cause: expect.any(TypeError) };
    await expect(asked(new TypeError('fetch failed'))).rejects.toMatchObject(none);
    await expect(asked(new Response('<!doctype html>'))).rejects.toMatchObject(none);
  });
});

describe('a secret from a store', () => {
  /** A backend whose store returns a revoked secret until it has the new one. */
  function rotated() {
    const store = vi.fn<() => Promise<string>>(async () => `${secret}x`);
    const { api } = createBackend({ url: world.url, projectId, secret: store });
    const status = (authorization?: string) =>
      api.users.list({ limit: 1 }, { authorization }).then(
        (answer) => answer.status,
        (error: ApiError) => error.status,
      );
    return { store, status };
  }

  test('is read again after it was refused, once for concurrent calls', async () => {
    const { store, status } = rotated();
    expect(await status()).toBe(401);
    store.mockResolvedValue(secret);
    pass(10_000);
    expect(await Promise.all([status(), status(), status()])).toEqual([200, 200, 200]);
    pass(60_000);
    expect(await status()).toBe(200);
    expect(store).toHaveBeenCalledTimes(2);
  });

  test('is read at most every ten seconds, and once more if reading fails', async () => {
    const { store, status } = rotated();
    expect([await status(), await status()]).toEqual([401, 401]);
    expect(store).toHaveBeenCalledTimes(1);
    store.mockRejectedValueOnce(new Error('The store is away'));
    pass(10_000);
    // The store's own failure, which has no status.
    expect([await status(), await status()]).toEqual([undefined, 401]);
    expect(store).toHaveBeenCalledTimes(3);
  });

  test('is not read for a wrong password, which is tried once', async () => {
    const store = vi.fn<() => Promise<string>>(async () => secret);
    const refused = { code: 'invalid_credentials', request_id: 'r1' };
    const send = vi.fn<typeof fetch>(async () => Response.json(refused, { status: 401 }));
    const { api } = createBackend({ url: world.url, projectId, secret: store, fetch: send });
    const wrong = { project_id: projectId, email: 'ada@example.com', password: 'a wrong password' };
    await expect(api.passwords.signIn(wrong)).rejects.toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    });
    expect([send, store].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  test('does not replace the credential of a single call', async () => {
    const { store, status } = rotated();
    store.mockResolvedValue(secret);
    await status();
    pass(10_000);
    expect(await status('Bearer x')).toBe(401);
    expect(store).toHaveBeenCalledTimes(1);
  });
});
