import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterAll, expect, test } from 'vitest';
import { sizeOf } from '../../lib/functions.ts';
import { type Handler, invoke } from '../../local/aws/lambda.ts';
import { type GatewayOptions, startGateway } from '../../local/http/gateway.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';

/** Stand-ins for the functions of the routes: each returns its entry in `answers`, or its event. */
const answers = new Map<
  FunctionName,
  (event: APIGatewayProxyEventV2, context: Context) => unknown
>();
const echo = (event: APIGatewayProxyEventV2) => ({ statusCode: 200, body: JSON.stringify(event) });
const load =
  (known = answers) =>
  async (name: FunctionName): Promise<Handler> =>
  async (event: APIGatewayProxyEventV2, context: Context) =>
    (known.get(name) ?? echo)(event, context);

const throttle = { rate: 1, burst: 2 };
const routes: GatewayOptions['routes'] = [
  { name: 'users.get', method: 'GET', path: '/users/{uid}' },
  { name: 'users.getMe', method: 'GET', path: '/users/me' },
  { name: 'users.update', method: 'PUT', path: '/users/{uid}' },
  { name: 'users.search', method: 'ANY', path: '/users/{uid}' },
  { name: 'members.changeRole', method: 'PUT', path: '/ws/{wid}/users/{uid}/role' },
  { name: 'docs.asset', method: 'GET', path: '/files/{rest+}' },
  { name: 'docs.page', method: 'GET', path: '/files/a/{name}' },
  { name: 'users.create', method: 'POST', path: '/echo' },
];
const close: (() => Promise<void>)[] = [];
async function start(options: Partial<GatewayOptions> = {}) {
  const gateway = await startGateway({ routes, load: load(), onError: () => {}, ...options });
  close.push(() => gateway.close());
  return gateway;
}
const gateway = await start();
afterAll(() => Promise.all(close.map((each) => each())));

/** Sends raw bytes and reads the response, because `fetch` would normalise the request. */
async function raw(request: string | Buffer, port = gateway.port) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  const parse = (): ReturnType<typeof JSON.parse> => JSON.parse(body);
  return { status: Number(line.split(' ')[1]), headers, text: body, json: parse };
}
/** Sends a request of these lines. */
const ask = (line: string, headers: string[] = [], port?: number, body: Buffer | string = '') => {
  const head = [`${line} HTTP/1.1`, 'Host: h', 'Connection: close', ...headers, '', ''];
  return raw(Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from(body)]), port);
};
const get = (path: string, headers?: string[], port?: number) => ask(`GET ${path}`, headers, port);
const post = (body: Buffer | string, headers: string[] = []) =>
  ask('POST /echo', [`Content-Length: ${Buffer.byteLength(body)}`, ...headers], undefined, body);
async function taken(method: string, path: string): Promise<string> {
  const { status, json } = await ask(`${method} ${path}`, ['Content-Length: 0']);
  return status === 200 ? json().routeKey : String(status);
}
async function answering(result: unknown) {
  answers.set('users.getMe', () => result);
  const answer = await get('/users/me');
  answers.delete('users.getMe');
  return answer;
}

test('1: a literal wins over a parameter, an exact method over ANY, a full match over a greedy parameter', async () => {
  expect(await taken('GET', '/users/me')).toBe('GET /users/me');
  expect(await taken('GET', '/users/you')).toBe('GET /users/{uid}');
  expect(await taken('PUT', '/users/me')).toBe('PUT /users/{uid}');
  expect(await taken('DELETE', '/users/me')).toBe('ANY /users/{uid}');
  expect(await taken('GET', '/files/a/b')).toBe('GET /files/a/{name}');
  expect(await taken('GET', '/files/a/b/c')).toBe('GET /files/{rest+}');
  expect(await taken('GET', '/files/x')).toBe('GET /files/{rest+}');
});

test('1: a request that matches no route goes to $default, and a parameter never matches an empty segment', async () => {
  for (const path of ['/', '/users', '/users/', '/users/me/', '//users/me', '/ws//users/u/role']) {
    expect(await taken('GET', path)).toBe('$default');
  }
  expect(await taken('POST', '/users/me/x')).toBe('$default');
  expect(await taken('GET', '/echo')).toBe('$default');
});

test('1: without $default an unknown path and a wrong method get the same 404', async () => {
  const { port } = await start({ fallback: null });
  for (const path of ['/nothing', '/echo']) {
    const { status, json } = await get(path, [], port);
    expect({ status, body: json() }).toEqual({ status: 404, body: { message: 'Not Found' } });
  }
});

test('2: path and parameters are decoded, the raw query is not', async () => {
  const event = (await get('/users/a%2Fb%20c?q=%C3%A4&q=b+c&empty=&flag')).json();
  expect(event).toMatchObject({
    rawPath: '/users/a/b c',
    rawQueryString: 'q=%C3%A4&q=b+c&empty=&flag',
    pathParameters: { uid: 'a/b c' },
    queryStringParameters: { q: 'ä,b c', empty: '', flag: '' },
    requestContext: { http: { path: '/users/a/b c' } },
  });
  expect((await get('/users/%E0%A4%A')).status).toBe(400);
});

test('2: empty fields are left out', async () => {
  const event = (await get('/users/me')).json();
  const absent = ['cookies', 'queryStringParameters', 'pathParameters', 'body'];
  expect(Object.keys(event).filter((name) => absent.includes(name))).toEqual([]);
  expect(event).toMatchObject({ version: '2.0', rawQueryString: '', isBase64Encoded: false });
});

test('3: header names are lower-cased, repeated headers joined, cookies separate', async () => {
  const event = (
    await get('/users/me', [
      'X-Some: 1',
      'x-SOME: 2',
      'Authorization: Basic a',
      'Authorization: Bearer b',
      'Cookie: a=1; b=2',
      'X-Forwarded-For: 6.6.6.6',
      'User-Agent: tester',
    ])
  ).json();
  expect(event.headers).toEqual({
    host: 'h',
    'x-some': '1,2',
    authorization: 'Basic a,Bearer b',
    'user-agent': 'tester',
    'x-forwarded-for': '6.6.6.6, 127.0.0.1',
    'x-forwarded-port': String(gateway.port),
    'x-forwarded-proto': 'http',
    'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
  });
  expect(event.cookies).toEqual(['a=1', 'b=2']);
  expect(event.requestContext.http).toMatchObject({ sourceIp: '127.0.0.1', userAgent: 'tester' });
});

test('4: text, JSON, XML and JavaScript arrive as text, every other type in base64', async () => {
  const text = [
    'text/plain',
    'application/json',
    'application/json; charset=utf-8',
    'application/xml',
    'application/javascript',
  ];
  const base64 = [
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/jsonp',
    'image/png',
  ];
  for (const type of text) {
    const event = (await post('ä', [`Content-Type: ${type}`])).json();
    expect(event).toMatchObject({ body: 'ä', isBase64Encoded: false });
  }
  for (const headers of [...base64.map((type) => [`Content-Type: ${type}`]), []]) {
    const event = (await post('ä', headers)).json();
    expect(event).toMatchObject({ body: 'w6Q=', isBase64Encoded: true });
  }
});

test('4: a chunked body arrives complete, with its length', async () => {
  const headers = ['Content-Type: text/plain', 'Transfer-Encoding: chunked'];
  const { json } = await ask('POST /echo', headers, undefined, '2\r\nab\r\n1\r\nc\r\n0\r\n\r\n');
  expect(json()).toMatchObject({ body: 'abc', headers: { 'content-length': '3' } });
  expect(json().headers).not.toHaveProperty('transfer-encoding');
});

test('5: the result of a function becomes the response, with its cookies and its bytes', async () => {
  const { status, headers, text } = await answering({
    statusCode: 201,
    headers: { 'X-Number': 5, 'Content-Type': 'image/png', 'content-length': '999' },
    cookies: ['a=1', 'b=2'],
    body: Buffer.from('bytes').toString('base64'),
    isBase64Encoded: true,
  });
  expect({ status, text }).toEqual({ status: 201, text: 'bytes' });
  expect(headers).toEqual(
    expect.arrayContaining([
      'x-number: 5',
      'content-type: image/png',
      'set-cookie: a=1',
      'set-cookie: b=2',
      'content-length: 5',
    ]),
  );
  expect(await answering({ statusCode: 204 })).toMatchObject({ status: 204, text: '' });
  expect((await answering({ statusCode: 200, body: 'x' })).headers).toContain(
    'content-type: text/plain;charset=UTF-8',
  );
});

test('5: a result without a status is a 200 with the result as its body', async () => {
  expect(await answering({ a: 1 })).toMatchObject({ status: 200, text: '{"a":1}' });
  expect(await answering('text')).toMatchObject({ status: 200, text: 'text' });
});

test('5: an error and an invalid result are a 500 without details', async () => {
  const wrong: unknown[] = [
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 'x' },
    { statusCode: 99 },
    { statusCode: 200, headers: { a: ['b'] } },
    { statusCode: 200, headers: 'a' },
    { statusCode: 200, cookies: 'a' },
    // What no header can carry.
    { statusCode: 200, headers: { a: 'b\nc' } },
    { statusCode: 200, headers: { a: '\u{100}' } },
    { statusCode: 200, headers: { 'a b': 'c' } },
    { statusCode: 200, cookies: ['a=b\r\nc: d'] },
  ];
  const expected = { status: 500, text: '{"message":"Internal Server Error"}' };
  for (const result of wrong) expect(await answering(result)).toMatchObject(expected);
  answers.set('users.getMe', () => Promise.reject(new Error('inside')));
  expect(await get('/users/me')).toMatchObject(expected);
  answers.delete('users.getMe');
});

test('5: a function timeout is a 500, a timeout of the gateway a 503', async () => {
  const slow = new Map([['users.getMe', () => sleep(300)]] as const);
  const late = await start({ load: load(slow), functionTimeout: 50 });
  expect(await get('/users/me', [], late.port)).toMatchObject({ status: 500 });
  const later = await start({ load: load(slow), integrationTimeout: 50 });
  expect(await get('/users/me', [], later.port)).toMatchObject({
    status: 503,
    text: '{"message":"Service Unavailable"}',
  });
});

test('5: a request over 10 MB, or too large for Lambda, is 413; a result over 6 MB is 500', async () => {
  const text = ['Content-Type: text/plain'];
  expect((await post(Buffer.alloc(11 * 2 ** 20, 'a'), text)).status).toBe(413);
  expect((await post(Buffer.alloc(7 * 2 ** 20, 'a'), text)).status).toBe(413);
  // Base64 adds a third.
  expect((await post(Buffer.alloc(5 * 2 ** 20, 'a'))).status).toBe(413);
  expect((await answering({ statusCode: 200, body: 'a'.repeat(7 * 2 ** 20) })).status).toBe(500);
});

test('5: refuses a request line and headers over 10,240 bytes', async () => {
  expect((await get('/users/me', [`X-Long: ${'a'.repeat(9_000)}`])).status).toBe(200);
  expect((await get('/users/me', [`X-Long: ${'a'.repeat(10_240)}`])).status).toBe(431);
  expect((await get(`/users/${'a'.repeat(11_000)}`)).status).toBe(431);
});

test('5: a route over its burst returns 429, other routes do not, and it recovers at its rate', async () => {
  const { port } = await start({ throttle });
  expect((await get('/users/me', [], port)).status).toBe(200);
  expect((await get('/users/me', [], port)).status).toBe(200);
  expect(await get('/users/me', [], port)).toMatchObject({
    status: 429,
    text: '{"message":"Too Many Requests"}',
  });
  expect((await get('/users/you', [], port)).status).toBe(200);
  await sleep(1_100);
  expect((await get('/users/me', [], port)).status).toBe(200);
});

test('6: WWW-Authenticate can be remapped', async () => {
  const challenged = new Map([
    ['users.getMe', () => ({ statusCode: 401, headers: { 'WWW-Authenticate': 'Bearer' } })],
  ] as const);
  const { port } = await start({ load: load(challenged), remapAuthenticate: true });
  const { headers } = await get('/users/me', [], port);
  expect(headers).toContain('x-amzn-remapped-www-authenticate: Bearer');
  expect(headers).not.toContain('www-authenticate: Bearer');
});

test('7: event and result are passed as JSON, with a context like that of Lambda', async () => {
  let seen: unknown;
  answers.set('users.getMe', (event, context) => {
    const { functionName, awsRequestId } = context;
    seen = { proto: Object.getPrototypeOf(event.headers), functionName, awsRequestId };
    const left = context.getRemainingTimeInMillis();
    return {
      statusCode: 200,
      body: undefined,
      headers: { left: left > 3000 && left <= 4000, gone: undefined },
    };
  });
  const { status, headers } = await get('/users/me');
  answers.delete('users.getMe');
  expect(status).toBe(200);
  expect(headers).toContain('left: true');
  expect(headers.join()).not.toContain('gone');
  expect(seen).toEqual({
    proto: Object.prototype,
    functionName: 'users.getMe',
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test.each(['users.getMe', 'users.import', 'stream.consume', 'projects.admin'] as const)(
  '7: %s has the memory and the timeout that it is deployed with',
  async (name) => {
    const handler: Handler = (_, { memoryLimitInMB, getRemainingTimeInMillis }) => [
      Number(memoryLimitInMB),
      Math.round(getRemainingTimeInMillis() / 1_000),
    ];
    const { memory, timeout } = sizeOf(name);
    expect(await invoke(name, handler, {})).toEqual([memory, timeout]);
  },
);

test('7: refuses a handler with a callback', async () => {
  const { port } = await start({
    load: async () => (_a: never, _b: Context, _c?: unknown) => ({ _a, _b, _c }),
  });
  expect((await get('/users/me', [], port)).status).toBe(500);
});

test('CORS: the gateway answers preflight requests, and its headers replace those of the function', async () => {
  const cors = {
    origins: ['https://a.example'],
    methods: ['GET'],
    headers: ['x'],
    exposed: ['link'],
    maxAge: 60,
  };
  const known = new Map([
    ['users.getMe', () => ({ statusCode: 200, headers: { 'access-control-allow-origin': '*' } })],
  ] as const);
  const { port } = await start({ cors, load: load(known) });
  const preflightOf = (origin: string) =>
    ask('OPTIONS /users/me', [`Origin: ${origin}`, 'Access-Control-Request-Method: GET'], port);
  const preflight = await preflightOf('https://a.example');
  expect(preflight.status).toBe(204);
  expect(preflight.headers).toEqual(
    expect.arrayContaining([
      'access-control-allow-origin: https://a.example',
      'access-control-allow-methods: GET',
      'access-control-allow-headers: x',
      'access-control-max-age: 60',
    ]),
  );
  const stranger = await preflightOf('https://b.example');
  expect(stranger.headers.join()).not.toContain('access-control');
  const plain = await get('/users/me', ['Origin: https://a.example'], port);
  expect(plain.headers).toContain('access-control-allow-origin: https://a.example');
  expect(plain.headers).toContain('access-control-expose-headers: link');
  expect((await get('/users/me', [], port)).headers.join()).not.toContain('access-control');
});

test('a client that disconnects in the middle of its body does not stop the gateway', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc');
  await sleep(20);
  socket.destroy();
  expect((await get('/users/me')).status).toBe(200);
});
