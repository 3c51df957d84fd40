import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ApiError, basic, createClient } from '../../client/client.ts';
import { serve } from '../support/serve.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id, secret } = world.project;
const credential = basic(project_id, secret);

/** A server with configurable responses that records its requests. */
const asked: { method: string; url: string; key: string | undefined }[] = [];
let answers: RequestListener[] = [];
const url = await serve((request, response) => {
  const key = request.headers['idempotency-key'] as string | undefined;
  asked.push({ method: request.method ?? '', url: request.url ?? '', key });
  request.resume().on('end', () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(request, response);
  });
});

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const problem = (code: string) => ({ code, detail: 'An injected fault.', request_id: 'r1' });
const cut: RequestListener = (_, response) => {
  response.destroy();
};
const done = says(200, { uid: 'u1' });
const page = says(200, '<!doctype html><title>Shop</title>', { 'content-type': 'text/html' });

function given(...all: RequestListener[]) {
  asked.length = 0;
  answers = all;
  return createClient(url, 'Basic x');
}
const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test('a change whose response is lost is retried, and made once', async () => {
  let lost = 0;
  const client = createClient(world.url, {
    authorization: credential,
    fetch: async (...call) => {
      const response = await fetch(...call);
      if ((lost += 1) > 2) return response;
      throw new TypeError('the connection broke');
    },
  });
  const { status, headers, body } = await client.workspaces.create({
    name: 'Once',
    owner_id: (await world.user()).uid,
  });
  expect([status, headers.get('idempotency-replayed'), lost]).toEqual([201, 'true', 3]);
  const { body: found } = await client.workspaces.list({ user_id: body.owner_id });
  expect(found.result.map(({ name }) => name)).toEqual(['Once']);
});

describe('a retry', () => {
  test.each([
    ['429', says(429, problem('too_many_requests'), { 'retry-after': '0' })],
    ['429 of API Gateway', says(429, { message: 'Too Many Requests' })],
    ['503', says(503, problem('temporarily_unavailable'))],
    ['504 of a proxy', says(504, '<h1>Gateway Timeout</h1>')],
    ['409 while the first try is in progress', says(409, problem('request_in_progress'))],
    ['no response', cut],
    ['an HTML page of a proxy with 200', page],
    ['a truncated response', says(200, '{"uid":')],
  ])('follows %s, with the same key', async (_, failing) => {
    const { body } = await given(failing, failing, done).users.create({ email: 'a@example.com' });
    expect(body).toEqual({ uid: 'u1' });
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(asked[0]?.key).toMatch(/^\d+(?:-\d+){3}$/);
  });

  test.each<[string, unknown, number]>([
    ['an error of Bun before 1.4', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 3],
    ['an error of workers', Object.assign(new Error('x'), { retryable: true }), 3],
    ['an error that asks for an hour', Object.assign(new TypeError('x'), { retryAfter: 3_600 }), 1],
    ['the end of a time limit', new DOMException('x', 'TimeoutError'), 1],
    ['the end of a call on a phone', Object.assign(new Error('x'), { name: 'AbortError' }), 1],
    ['a failure of its own', new Error('The store is away'), 1],
  ])('after %s: what its own fetch throws', async (_, thrown, tries) => {
    let sent = 0;
    const throws = async () => {
      sent += 1;
      throw thrown;
    };
    expect(await failureOf(createClient(url, { fetch: throws }).users.getMe())).toBe(thrown);
    expect(sent).toBe(tries);
  });

  test.each([
    ['400', says(400, problem('invalid_request'))],
    ['404', says(404, problem('not_found'))],
    ['another 409', says(409, problem('already_member'))],
    ['500', says(500, problem('internal_error'))],
    [
      '429 with a Retry-After of minutes',
      says(429, problem('too_many_requests'), { 'retry-after': '300' }),
    ],
  ])('does not follow %s', async (_, failing) => {
    const failure = await failureOf(given(failing).users.create({ email: 'a@example.com' }));
    expect(failure).toBeInstanceOf(ApiError);
    expect(asked).toHaveLength(1);
  });

  test('is made twice at most, then the last error is thrown', async () => {
    const failing = says(503, problem('temporarily_unavailable'));
    const failure = await failureOf(given(failing).users.getMe());
    expect(failure).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    expect(asked.map(({ key }) => key)).toEqual([undefined, undefined, undefined]);
  });

  test('follows an HTML page with 200, unless the operation returns a page', async () => {
    const client = given(page);
    const { sessions } = client;
    const none: unknown = expect.any(TypeError);
    const calls = [
      sessions.signOut(),
      sessions.endAll({ user_id: 'u1' }),
      sessions.introspect({ token: 't' }),
    ];
    expect(await Promise.all(calls.map(failureOf))).toEqual([none, none, none]);
    expect(asked).toHaveLength(9);
    expect((await client.docs.page()).body).toContain('<title>Shop');
    expect((await createClient(world.url).docs.home()).body).toContain('<html');
  });

  test('waits for the time of Retry-After', async () => {
    const start = performance.now();
    const busy = says(429, problem('too_many_requests'), { 'retry-after': '1' });
    await given(busy, done).users.getMe();
    expect(performance.now() - start).toBeGreaterThan(990);
  });

  test('is not counted while the same request is in progress', async () => {
    const busy = says(409, problem('request_in_progress'), { 'retry-after': '4' });
    given(busy, busy, busy, done);
    const client = createClient(url, { retries: 1 });
    expect((await client.users.create({ email: 'a@example.com' })).body).toEqual({ uid: 'u1' });
    expect(asked).toHaveLength(4);
  });

  test('is not made with retries: 0, and a change then has no key', async () => {
    given(cut);
    const client = createClient(url, { retries: 0 });
    expect(await failureOf(client.users.create({ email: 'a@example.com' }))).toBeInstanceOf(
      TypeError,
    );
    expect(asked.map(({ key }) => key)).toEqual([undefined]);
  });

  test('is aborted by the signal, also while it waits', async () => {
    const busy = says(503, problem('temporarily_unavailable'), { 'retry-after': '9' });
    const stop = new AbortController();
    const call = failureOf(given(busy).users.getMe({}, { signal: stop.signal }));
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => stop.abort(new Error('enough')), 50);
    expect(await call).toMatchObject({ message: 'enough' });
    expect(asked).toHaveLength(1);
  });
});

describe('a request', () => {
  test('encodes its path parameters, and leaves out undefined ones', async () => {
    await given(done).members.list({
      workspace_id: 'a/b ?#',
      status: 'accepted',
      query: undefined,
    });
    expect(asked).toMatchObject([
      { method: 'GET', url: '/workspaces/a%2Fb%20%3F%23/users?status=accepted' },
    ]);
  });

  test('has only the parameters of the operation in its URL', async () => {
    const whole = { workspace_id: 'w1', name: 'Acme', access_token: 'secret', limit: 5 };
    await given(done).workspaces.get(whole);
    await createClient(url).joinLinks.list(whole);
    await createClient(url).workspaces.listJoined(whole);
    expect(asked.map((each) => each.url)).toEqual([
      '/workspaces/w1',
      '/workspaces/w1/join_links',
      '/workspaces/joined/search?limit=5',
    ]);
  });

  test.each(['', '.', '..'])(
    'is not sent if a parameter would change the path: %j',
    async (uid) => {
      expect(await failureOf(given(done).users.get({ uid }))).toBeInstanceOf(TypeError);
      expect(asked).toEqual([]);
    },
  );

  test('sends unknown fields to the service, which names them in its refusal', async () => {
    const client = createClient(world.url, credential);
    const misspelt = { email: 'ada@example.com', email_verifed: true };
    const failure = await failureOf(client.users.create(misspelt));
    expect(failure).toMatchObject({ code: 'invalid_request' });
    expect(JSON.stringify((failure as ApiError).errors)).toContain('email_verifed');
  });

  test('resolves its credential for each try, and sends none to a public operation', async () => {
    const seen: (string | null)[] = [];
    let number = 0;
    const client = createClient(url, {
      authorization: async () => `Bearer ${(number += 1)}`,
      fetch: async (to, init) => {
        seen.push(new Headers(init?.headers).get('authorization'));
        return fetch(to, init);
      },
    });
    given(cut, done);
    await client.users.getMe();
    await client.codes.start({ project_id, email: 'a@example.com' });
    expect(seen).toEqual(['Bearer 1', 'Bearer 2', null]);
  });
});

test.each([
  ['120', 120],
  ['0', 0],
  ['Sun, 06 Nov 1994 08:51:37 GMT', 120],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['Sun, 06 Nov 1994 08:40:00 GMT', 0],
  ['soon', undefined],
  ['soon 5', undefined],
  ['-5', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %s is %s seconds', (said, seconds) => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const headers = new Headers({ date, ...(said !== undefined && { 'retry-after': said }) });
  expect(new ApiError(503, headers, undefined).retryAfter).toBe(seconds);
});

test('a Retry-After with a date counts from now if the response has no valid Date', async () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const failing: RequestListener = (_, response) => {
    response.sendDate = false;
    response.writeHead(503, { 'retry-after': inAMinute }).end();
  };
  const failure = (await failureOf(given(failing).users.getMe())) as ApiError;
  expect(failure.retryAfter).toBeGreaterThan(57);
  expect(failure.retryAfter).toBeLessThanOrEqual(60);
  expect(asked).toHaveLength(1);
});

test('an error has the additional fields of its code, and the time to wait', async () => {
  const body = { ...problem('already_member'), member_id: 'mid-1' };
  const failure = await failureOf(
    given(says(409, body, { 'retry-after': '7' })).members.join({ workspace_id: 'w' } as never),
  );
  expect(failure).toMatchObject({ retryAfter: 7, requestId: 'r1' });
  // Typed: fields that only some codes have need no cast.
  const { member_id = '' } = (failure as ApiError).problem;
  expect(member_id.slice(0, 4)).toBe('mid-');
});
