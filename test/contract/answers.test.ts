import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { routes } from '#shared/contract/api.ts';
import { examples } from '#shared/contract/examples/examples.ts';
import type { Route } from '#shared/contract/route.ts';
import { ApiError } from '#shared/model/errors.ts';
import { startGateway } from '../../local/http/gateway.ts';
import { caller } from '../support/call.ts';
import { expectStandard } from './calls.ts';

// An endpoint outside the contract, whose handler breaks the rules of handlers.
vi.stubEnv('BASE_URL', 'https://id.example.com');
const { endpoint } = await import('#shared/http/endpoint.ts');
const { reply } = await import('#shared/http/reply.ts');
const inner = z.object({ a: z.int() });
const route = {
  name: 'users.getMe',
  method: 'GET',
  path: '/',
  summary: '',
  auth: [],
  response: z.object({
    known: z.string(),
    deep: inner.optional(),
    list: z.array(inner).optional(),
  }),
  statuses: [200],
  errors: ['not_found', 'already_member'],
} as const satisfies Route;
type Answers = z.input<(typeof route)['response']>;

let run: () => unknown;
const handler = endpoint(route, async () => (await run()) as Answers);
const gateway = await startGateway({ routes: [route], load: async () => handler, fallback: null });
const call = caller(gateway.url);
const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterAll(() => gateway.close());
beforeEach(() => {
  vi.stubEnv('LOG_LEVEL', 'info');
  stderr.mockClear();
});

async function answer(work: () => unknown) {
  run = work;
  const answered = await call('GET', '/');
  expectStandard(route, answered);
  return { ...answered, text: JSON.stringify([answered.body, ...answered.headers]) };
}
const lines = () => stderr.mock.calls.map(([line]) => JSON.parse(String(line)));
const throwing = (thrown: unknown) => () => {
  throw thrown;
};
const canary = 'canary-5f1e';

describe('an error that the route does not declare is a 500 without its text', () => {
  test.each<[string, () => unknown]>([
    ['an Error', throwing(new Error(canary))],
    [
      'an Error of a library with fields',
      throwing(Object.assign(new Error(canary), { status: 404, body: canary })),
    ],
    [
      'an error of another route',
      throwing(
        Object.assign(new ApiError('email_taken', { detail: canary, headers: { 'x-x': canary } }), {
          members: { x: canary },
        }),
      ),
    ],
    [
      'an error that only authentication gives',
      throwing(new ApiError('unauthenticated', { detail: canary })),
    ],
    ['a ZodError', () => z.object({ [canary]: z.string() }).parse({})],
    ['a response', throwing({ statusCode: 200, body: canary })],
    ['a text', throwing(canary)],
    ['null', throwing(null)],
    ['undefined', throwing(undefined)],
    [
      'an error in an error',
      throwing(new AggregateError([new Error(canary)], canary, { cause: canary })),
    ],
    ['a rejection', () => Promise.reject(new TypeError(canary))],
  ])('%s', async (_, work) => {
    const { status, body, text } = await answer(work);
    expect([status, body.code, body.detail]).toEqual([500, 'internal_error', 'Internal error']);
    expect(text).not.toContain(canary);
    expect(lines()).toMatchObject([{ level: 'error', status: 500, code: 'internal_error' }]);
  });

  test('the log has name, message and stack of the whole cause chain, and none of its fields', async () => {
    const cause = Object.assign(new TypeError('inner'), { items: [canary] });
    const thrown = Object.assign(new Error('outer', { cause }), {
      request: { authorization: canary },
    });
    await answer(throwing(thrown));
    expect(lines()[0].cause).toEqual({
      name: 'Error',
      message: 'outer',
      stack: expect.stringContaining('answers.test.ts'),
      cause: { name: 'TypeError', message: 'inner', stack: expect.any(String) },
    });
    expect(JSON.stringify(lines())).not.toContain(canary);
  });
});

describe('an error that the route declares', () => {
  test('is returned completely, without its cause', async () => {
    const cause = new Error(canary);
    const failure = new ApiError('already_member', {
      detail: 'Is',
      members: { member_id: 'm' },
      cause,
    });
    const { status, body, text } = await answer(throwing(failure));
    expect([status, body]).toMatchObject([409, { detail: 'Is', member_id: 'm' }]);
    expect(text).not.toContain(canary);
    expect(stderr.mock.calls.join()).not.toContain(canary);
  });

  test('with a 503 has a Retry-After header', async () => {
    const failure = new ApiError('temporarily_unavailable', { retryAfter: 1 });
    const { status, headers } = await answer(throwing(failure));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('a field that the contract does not name', () => {
  const more = {
    known: 'x',
    secret: canary,
    deep: { a: 1, hash: canary },
    list: [{ a: 2, pk: canary }],
  };
  test.each([
    ['a response', () => more],
    ['a response with a status', () => reply(more, { status: 200 })],
  ])('is removed from %s', async (_, work) => {
    const { status, body } = await answer(work);
    expect([status, body]).toEqual([200, { known: 'x', deep: { a: 1 }, list: [{ a: 2 }] }]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a field missing', {}],
    ['a field of another type', { known: 1 }],
    ['a part of another type', { known: 'x', list: [{ a: canary }] }],
    ['a list', [{ known: 'x' }]],
    ['a text', canary],
  ])('%s in place of the response is a 500', async (_, value) => {
    const { status, text } = await answer(() => value);
    expect(status).toBe(500);
    expect(text).not.toContain(canary);
  });

  test('is not allowed by the response schema of any route', () => {
    const open: string[] = [];
    const look = (schema: Record<string, unknown>, where: string) => {
      if (schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false)
        open.push(where);
      for (const [name, part] of Object.entries(schema))
        if (typeof part === 'object' && part !== null)
          look(part as Record<string, unknown>, `${where}.${name}`);
    };
    for (const { name, response } of routes)
      look(z.toJSONSchema(response, { reused: 'inline' }), name);
    // Their field names are the project's methods, or the customer's own: metadata, and a project's custom token
    // claims.
    const named =
      /\.(?:sign_in_methods|sign_ins|sign_in_failures|(?:user|app|private)_metadata|\w*ApiKey\.properties\.metadata)$|^sessions\.introspect\.\$defs\.ActiveToken$/;
    const others = open.filter((where) => !named.test(where));
    expect(others).toEqual(['docs.openapi']);
  });
});

describe('the uncompiled validation of the first responses of an instance and the compiled one give the same', () => {
  test('for the first response and later ones', async () => {
    const given = { known: 'a', unknown: canary, list: [{ a: 1, b: canary }], deep: undefined };
    for (let i = 0; i < 20; i += 1)
      expect((await answer(() => given)).body).toEqual({ known: 'a', list: [{ a: 1 }] });
  });

  test.each(routes)('$name', ({ name, response }) => {
    const example = examples[name].response;
    const isObject = example?.constructor === Object;
    const given = isObject ? { unknown: canary, ...example, none: undefined } : example;
    const [compiled, uncompiled] = [false, true].map((jitless) =>
      response.safeParse(given, { jitless }),
    );
    expect(
      uncompiled?.error?.issues,
      'a response is z.object, which drops unknown fields; only a request is z.strictObject',
    ).toBeUndefined();
    // Compares the text, because the ETag is computed from it.
    expect(JSON.stringify(uncompiled)).toBe(JSON.stringify(compiled));
  });
});
