/** @module-tag alone */
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Route } from '#shared/contract/route.ts';
import { endpoint, type Handler } from '#shared/http/endpoint.ts';
import type { Run } from '#shared/http/exchange.ts';
import { reply } from '#shared/http/reply.ts';
import { type ErrorCode } from '#shared/model/error-codes.ts';
import { ApiError } from '#shared/model/errors.ts';
import type { Handler as LambdaHandler } from '../../../local/aws/lambda.ts';
import { startGateway } from '../../../local/http/gateway.ts';
import type { FunctionName } from '../../../shared/contract/functions.ts';
import { caller } from '../../support/call.ts';
import { expectProblem } from '../../support/expectations.ts';

/** OAuth support of the request framework, with this test's own routes behind the local service's gateway. */

const anything = z.record(z.string(), z.unknown());
const common = { summary: 'Of this test', auth: [], response: anything, statuses: [200] } as const;
const fields = { grant_type: z.string().min(1), code: z.string().max(20).optional() };
const form = {
  ...common,
  name: 'users.create',
  method: 'POST',
  path: '/token',
  body: z.object(fields),
  accepts: 'form',
  problems: 'oauth',
  readOnly: true,
  bodyLimit: 2_048,
  errors: ['invalid_client', 'invalid_grant'],
} as const satisfies Route;
const strictForm = {
  ...form,
  name: 'users.update',
  path: '/strict',
  body: z.strictObject(fields),
} as const satisfies Route;
const state = z.string().optional();
const optionalForm = {
  ...form,
  name: 'users.search',
  path: '/optional',
  body: z.object({ state }),
} as const satisfies Route;
const query = {
  ...common,
  name: 'users.get',
  method: 'GET',
  path: '/authorize',
  query: z.object({ client_id: z.string(), state, max_age: z.int().optional() }),
  errors: [],
} as const satisfies Route;
const cookies = {
  ...common,
  name: 'users.getMe',
  method: 'GET',
  path: '/cookies',
  errors: [],
} as const satisfies Route;

/** The error of the form route, if it fails. */
let failing: Error | undefined;
const made = <const R extends Route>(route: R, run: Run<R>): [FunctionName, Handler] => [
  route.name as FunctionName,
  endpoint(route, run),
];
const read = async ({ body }: { body: Record<string, unknown> }) => {
  if (failing) throw failing;
  return body;
};
const handlers = new Map<FunctionName, Handler>([
  made(form, read),
  made(strictForm, read),
  made(optionalForm, read),
  made(query, async (input) => input.query),
  made(cookies, async ({ client }) =>
    reply({ got: client.cookies }, { cookies: ['a=1; Path=/', 'b=2; Path=/; Max-Age=0'] }),
  ),
]);
process.env['LOG_LEVEL'] = 'silent';
const gateway = await startGateway({
  routes: [form, strictForm, optionalForm, query, cookies] as never,
  load: async (name) => handlers.get(name) as unknown as LambdaHandler,
});
process.env['BASE_URL'] = gateway.url;
afterAll(() => gateway.close());
const call = caller(gateway.url);

const type = 'application/x-www-form-urlencoded';
const send = (body: string | Uint8Array, path = '/token', headers: Record<string, string> = {}) =>
  call('POST', path, undefined, body, { headers: { 'content-type': type, ...headers } });

describe('a form', () => {
  test.each([
    ['grant_type=a', { grant_type: 'a' }],
    ['grant_type=a+b%26%C3%A4&code=%2B', { grant_type: 'a b&ä', code: '+' }],
    // RFC 6749 section 3.2: unknown parameters are ignored, and those without a value were not sent.
    ['grant_type=a&other=1&other=2&code=', { grant_type: 'a' }],
    ['grant_type=a&__proto__=x&constructor=y', { grant_type: 'a' }],
  ])('%s is read', async (body, fields_) => {
    expect(await send(body)).toMatchObject({ status: 200, body: fields_ });
  });

  test('may have the charset UTF-8', async () => {
    const headers = { 'content-type': `${type.toUpperCase()}; charset=UTF-8` };
    expect((await send('grant_type=a', '/token', headers)).status).toBe(200);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['a parameter twice', 'grant_type=a&code=1&code=1', '/body/code'],
    ['a parameter twice, once without a value', 'grant_type=a&grant_type=', '/body/grant_type'],
    ['a required parameter missing', 'code=1', '/body/grant_type'],
    ['a required parameter without a value', 'grant_type=', '/body/grant_type'],
    ['a value that is too long', `grant_type=a&code=${'x'.repeat(21)}`, '/body/code'],
    ['bytes that are not UTF-8', new Uint8Array([0x67, 0x3d, 0xff]), '/body'],
    ['escapes that are not UTF-8', 'grant_type=%FF', '/body/grant_type'],
    ['fields that cost much to read', `grant_type=a${'&%FF'.repeat(100)}`, '/body'],
    ['JSON', '{"grant_type":"a"}', '/body/grant_type'],
    ['an empty body', '', '/body/grant_type'],
  ])('400 with %s', async (_, body, pointer) => {
    const answer = await send(body);
    expect(answer.body.errors.map((each: { pointer: string }) => each.pointer)).toEqual([pointer]);
    expectProblem(answer, 'invalid_request', {
      errors: [{ pointer, detail: expect.any(String) }],
      error: 'invalid_request',
      error_description: expect.stringContaining(pointer),
    });
  });

  test('400 with an unknown parameter, for a strict schema', async () => {
    const { status, body } = await send('grant_type=a&other=1', '/strict');
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ pointer: '/body/other', detail: 'Unknown field' }]);
  });

  test('413 over the limit of the route; exactly the limit is read', async () => {
    const of = (length: number) => `grant_type=a&x=${'y'.repeat(length - 15)}`;
    expect((await send(of(2_048))).status).toBe(200);
    const { status, body } = await send(of(2_049));
    expect([status, body.code, body.error]).toEqual([413, 'content_too_large', 'invalid_request']);
  });

  test.each([
    ['application/json', {}, `The body is not ${type}`],
    ['text/plain', {}, `The body is not ${type}`],
    ['multipart/form-data; boundary=x', {}, `The body is not ${type}`],
    [
      `${type}; charset=iso-8859-1`,
      {},
      'The charset must be UTF-8, and no other parameter is allowed',
    ],
    [type, { 'content-encoding': 'gzip' }, 'The body must not have a Content-Encoding'],
  ])('415 as %s %j', async (other, more, detail) => {
    const answer = await send('grant_type=a', '/token', { 'content-type': other, ...more });
    const { code, detail: shown } = answer.body;
    expect([answer.status, code, shown]).toEqual([415, 'unsupported_media_type', detail]);
  });

  test('that is optional counts as empty without a body, with any content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status, body } = await call('POST', '/optional', undefined, undefined, { headers });
    expect([status, body]).toEqual([200, {}]);
  });
});

describe('a query whose schema is not strict', () => {
  test('ignores unknown parameters, and reads an empty one as omitted', async () => {
    const path = '/authorize?client_id=a&state=&utm=1&utm=2&max_age=5&%FF=1';
    const body = { client_id: 'a', max_age: 5 };
    expect(await call('GET', path)).toMatchObject({ status: 200, body });
  });

  test('names a known parameter that is repeated or not UTF-8', async () => {
    const { body } = await call('GET', '/authorize?client_id=a&client_id=b&state=%FF');
    expect(body.errors).toEqual([
      { pointer: '/query/client_id', detail: 'Duplicate field' },
      { pointer: '/query/state', detail: 'Must be UTF-8' },
    ]);
  });
});

describe('an error of an OAuth route', () => {
  /** The response of a route that fails so, to a request with this credential. */
  const failingWith = (failure: Error, auth?: string) => {
    failing = failure;
    const headers = { 'content-type': type };
    return call('POST', '/token', auth, 'grant_type=a', { headers }).finally(
      () => (failing = undefined),
    );
  };
  const client = new ApiError('invalid_client', { reason: 'x' });
  const later = { retryAfter: 7 };
  const unavailable = new ApiError('temporarily_unavailable', later);

  test.each<[string, Error, string, number]>([
    ['declared', new ApiError('invalid_grant', { reason: 'x' }), 'invalid_grant', 400],
    ['an invalid client', client, 'invalid_client', 401],
    ['a limit', new ApiError('too_many_requests', later), 'temporarily_unavailable', 429],
    ['temporary unavailability', unavailable, 'temporarily_unavailable', 503],
    ['a bug', new Error('of this test'), 'server_error', 500],
    ['not declared', new ApiError('email_taken'), 'server_error', 500],
  ])('%s', async (_, failure, error, status) => {
    const answer = await failingWith(failure);
    expect(answer.status).toBe(status);
    expectProblem(answer, answer.body.code as ErrorCode, {
      error,
      error_description: answer.body.detail,
    });
  });

  test('has an error_description in the characters of RFC 6749', async () => {
    const failure = new ApiError('invalid_grant', { detail: 'a "b" \\ ä\n' });
    const { body } = await failingWith(failure);
    expect([body.detail, body.error_description]).toEqual(['a "b" \\ ä\n', "a 'b' ? ??"]);
  });

  // Every spelling of the scheme: test/shared/access/authenticate.test.ts.
  test.each([
    ['Basic YTpi', 'Basic realm="client", charset="UTF-8"'],
    [undefined, 'Bearer realm="user"'],
  ])('for a client that used %s has the challenge %s', async (auth, challenge) => {
    const { headers } = await failingWith(client, auth);
    expect(headers.get('www-authenticate')).toBe(challenge);
  });

  test('may set cookies', async () => {
    const cleared = { reason: 'x', cookies: ['a=; Max-Age=0'] };
    const { headers } = await failingWith(new ApiError('invalid_grant', cleared));
    expect(headers.getSetCookie()).toEqual(['a=; Max-Age=0']);
  });
});

test("the handler gets the request's cookies, and the browser the handler's, each in its own header", async () => {
  const { headers, body } = await call('GET', '/cookies', undefined, undefined, {
    headers: { cookie: 'x=1; y="2"; x=3' },
  });
  expect(body).toEqual({ got: ['x=1', 'y="2"', 'x=3'] });
  expect(headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/; Max-Age=0']);
  expect((await call('GET', '/cookies')).body).toEqual({ got: [] });
});
