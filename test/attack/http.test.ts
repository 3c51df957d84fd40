import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { fallback } from '#shared/contract/fallback.ts';
import { expectStandard, pointersOf } from '../contract/calls.ts';
import { sampleOf } from '../contract/samples.ts';
import { unknownId } from '../support/expectations.ts';
import { pathOf } from '../support/routes.ts';
import { type Person, startWorld } from '../support/world.ts';
import { lines, wire } from './wire.ts';

/** Valid but unusual HTTP, which test/contract/input.test.ts does not send. */

const world = await startWorld({ subscribers: false });
const { basic } = world.project;
let person: Person;
let workspace_id: string;
let before: unknown[];
beforeAll(async () => {
  person = await world.user();
  ({ workspace_id } = await world.workspace({ owner: person }));
  await world.drainStream();
  before = await world.table.all();
});
const methodsOf = new Map(
  routes.map(({ path }) => [
    path,
    routes.filter((route) => fits(route.path, path)).map(({ method }) => method as string),
  ]),
);

/** Whether a path template matches a path. */
function fits(template: string, path: string): boolean {
  const [parts, given] = [template.split('/'), path.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, i) => part.startsWith('{') || part === given[i])
  );
}

describe('a method that a path does not have gets 405 and the allowed methods', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'LOCK'];
  test.each([...methodsOf])('%s', async (path, allowed) => {
    const route = routes.find((each) => each.path === path)!;
    const target = pathOf(route, sampleOf(route).params);
    const secret = 'Authorization: Bearer not-to-be-echoed';
    for (const method of methods.filter((each) => !allowed.includes(each))) {
      const [answer] = await wire(world.url, lines(`${method} ${target}`, [secret]));
      expect([method, answer?.status]).toEqual([method, 405]);
      const allow = answer?.headers.get('allow')?.split(', ').toSorted();
      expect(allow).toEqual([...new Set(allowed)].toSorted());
      expect(answer?.body).not.toContain('not-to-be-echoed');
      if (method === 'HEAD') expect(answer?.body).toBe('');
      else if (answer) expectStandard(fallback, { ...answer, body: JSON.parse(answer.body) });
    }
  });

  test.each(['get', 'Get', 'GETX', 'G E T', '', 'GET\t'])(
    'refuses the method %j',
    async (method) => {
      const [answer] = await wire(
        world.url,
        lines(`${method} /users/me`, [`Authorization: ${person.bearer}`]),
      );
      expect([400, 404, 405]).toContain(answer?.status);
    },
  );

  test('CONNECT opens no tunnel', async () => {
    expect(await wire(world.url, lines('CONNECT example.com:443'))).toEqual([]);
  });
});

describe('method and path override headers are ignored', () => {
  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-Method'])(
    '%s',
    async (name) => {
      const path = `/workspaces/${workspace_id}`;
      const headers = { [name]: 'DELETE' };
      const read = await world.call({ method: 'GET', path, auth: basic, headers });
      expect([read.status, read.body.workspace_id]).toEqual([200, workspace_id]);
      const posted = await world.call({ method: 'POST', path, auth: basic, headers });
      expect(posted.status).toBe(405);
      const asked = await world.call('GET', `${path}?_method=DELETE`, basic);
      expect([asked.status, ...pointersOf(asked)]).toEqual([400, '/query/_method']);
    },
  );

  test.each(['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Path', 'X-Forwarded-Prefix'])(
    '%s',
    async (name) => {
      const headers = { [name]: `/users/${unknownId}` };
      const { status, body } = await world.call({
        method: 'GET',
        path: '/users/me',
        auth: person.bearer,
        headers,
      });
      expect([status, body.uid]).toEqual([200, person.uid]);
    },
  );

  test('no host that a client names appears in a link, an issuer or an error', async () => {
    const evil = 'evil.example';
    const headers = [
      `Host: ${evil}`,
      `X-Forwarded-Host: ${evil}`,
      `X-Host: ${evil}`,
      `Forwarded: host=${evil};proto=gopher`,
      'X-Forwarded-Proto: gopher',
      `X-Forwarded-Server: ${evil}`,
      `Origin: https://${evil}`,
      `Referer: https://${evil}/`,
    ];
    const ask = async (path: string) => {
      const text = lines(`GET ${path}`, [`Authorization: ${basic}`, ...headers.slice(1)]);
      const [answer] = await wire(world.url, text.replace('Host: h', headers[0] ?? ''));
      return answer!;
    };
    for (const path of [
      '/.well-known/openid-configuration',
      `/users/${person.uid}`,
      '/users/none',
      `/workspaces?user_id=${person.uid}&limit=1`,
      '/nowhere',
      '/docs',
    ]) {
      const { body, headers: answered } = await ask(path);
      expect(body + JSON.stringify([...answered]), path).not.toMatch(/evil\.example|gopher/);
    }
  });

  test('the service ignores client addresses in headers of the client', async () => {
    const claimed = '203.0.113.7';
    const headers = Object.fromEntries(
      ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'].map(
        (name) => [name, claimed],
      ),
    );
    const forwarded = { ...headers, Forwarded: `for=${claimed}` };
    const project = await world.newProject({ code_sign_in: true, sign_up: true });
    const { project_id } = project;
    const ask = { project_id, email: 'from-afar@example.com' };
    const started = await world.call({
      method: 'POST',
      path: '/codes',
      body: ask,
      headers: forwarded,
    });
    await world.drainStream();
    const text = world.mails().find(({ to }) => to === ask.email)?.text ?? '';
    const code = /^(\d{6})$/m.exec(text)?.[1];
    const { challenge_id } = started.body;
    const body = { project_id, challenge_id, code };
    const session = await world.call({
      method: 'POST',
      path: '/sessions/code',
      body,
      headers: forwarded,
    });
    expect(session.status).toBe(201);
    const list = await world.call('GET', '/sessions', `Bearer ${session.body.access_token}`);
    expect(list.body.result[0].address).toBe('127.0.0.0/24');
  });

  test('the service ignores range, content coding and similar headers', async () => {
    const plain = await world.call('GET', '/users/me', person.bearer);
    const headers = { range: 'bytes=0-1', te: 'trailers', 'accept-encoding': 'gzip', dnt: '1' };
    const same = await world.call({
      method: 'GET',
      path: '/users/me',
      auth: person.bearer,
      headers,
    });
    expect([same.status, same.body]).toEqual([200, plain.body]);
    expect(same.headers.get('content-encoding')).toBeNull();
  });
});

describe('a credential counts only in one Authorization header', () => {
  const ask = async (...headers: string[]) => {
    const [answer] = await wire(world.url, lines('GET /users/me', headers));
    return answer?.status;
  };
  const good = () => `Authorization: ${person.bearer}`;

  test('one header is accepted, in any case of its name and scheme', async () => {
    expect(await ask(good())).toBe(200);
    const token = person.access_token;
    expect(await ask(`aUTHORIZATION: bEARER ${token}`)).toBe(200);
  });

  test('two headers are refused, in any order, even if they are equal', async () => {
    const others = [good(), 'Authorization: Bearer x', `Authorization: ${basic}`, 'Authorization:'];
    for (const other of others) {
      expect(await ask(good(), other), other).toBe(401);
      expect(await ask(other, good()), other).toBe(401);
    }
    expect(await ask(`${good()}, ${person.bearer}`)).toBe(401);
  });

  test.each([
    'X-Authorization',
    'Proxy-Authorization',
    'X-Amzn-Remapped-Authorization',
    'X-Access-Token',
    'X-Api-Key',
    'Authorization-Token',
    'X_Authorization',
  ])('%s is not accepted', async (name) => {
    expect(await ask(`${name}: ${person.bearer}`)).toBe(401);
  });

  test('a cookie, a query parameter, user info or a field of the body is not accepted', async () => {
    const token = person.access_token;
    expect(await ask(`Cookie: Authorization=${person.bearer}; access_token=${token}`)).toBe(401);
    for (const name of ['access_token', 'token', 'Authorization', 'api_key']) {
      const path = `/workspaces/joined/search?${name}=${token}`;
      expect((await world.call('GET', path)).status).toBe(401);
      expect(pointersOf(await world.call('GET', path, person.bearer))).toEqual([`/query/${name}`]);
    }
    const credentials = Buffer.from(basic.slice(6), 'base64').toString();
    const [absolute] = await wire(
      world.url,
      lines(`GET http://${credentials}@h/users/${person.uid}`),
    );
    expect(absolute?.status).toBe(401);
    const body = { uid: person.uid, access_token: token };
    expect((await world.call('POST', '/sessions', undefined, body)).status).toBe(401);
  });
});

describe('the framing of a body', () => {
  const json = '{"display_name":"framed"}';
  const start = () => `PUT /users/${unknownId}`;
  const jsonOf = ['Content-Type: application/json', `Authorization: ${basic}`];
  const missing = async (bytes: string) => {
    const answers = await wire(world.url, bytes);
    return answers.map(({ status }) => status);
  };

  test('Content-Length and chunked encoding give the same result', async () => {
    const length = `Content-Length: ${json.length}`;
    expect(await missing(lines(start(), [...jsonOf, length], json))).toEqual([404]);
    const pieces = `5\r\n${json.slice(0, 5)}\r\n${(json.length - 5).toString(16)};x=y\r\n${json.slice(5)}\r\n0\r\nX-Trailer: 1\r\n\r\n`;
    const chunked = [...jsonOf, 'Transfer-Encoding: chunked'];
    expect(await missing(lines(start(), chunked, pieces))).toEqual([404]);
  });

  test('a Content-Length that is too short cuts the body off, and the rest is not a request', async () => {
    const short = [...jsonOf, 'Content-Length: 10'];
    const text = lines(start(), short, `${json}\r\n\r\n`).replace('close', 'keep-alive');
    expect(new Set(await missing(text))).toEqual(new Set([400]));
  });

  test.each([
    [
      'a length and chunked encoding',
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    ],
    ['two lengths', ['Content-Length: 25', 'Content-Length: 26'], json],
    ['a signed length', ['Content-Length: +25'], json],
    ['an invalid length', ['Content-Length: x'], json],
    ['a chunk with an invalid length', ['Transfer-Encoding: chunked'], 'zz\r\n'],
    ['another transfer coding', ['Transfer-Encoding: gzip'], json],
    ['a folded header', ['X-A: 1', ' folded: 2'], ''],
    ['a blank before the colon', ['X-A : 1'], ''],
    ['a NUL in a header', ['X-A: a\0b'], ''],
    ['a header without a name', [': 1'], ''],
  ])('%s: gets 400, and the connection ends', async (_, headers, body) => {
    const text = lines(start(), [...jsonOf, ...headers], body).replace('close', 'keep-alive');
    const smuggled = lines('GET /users/me', [`Authorization: ${person.bearer}`]);
    expect((await missing(text + smuggled)).filter((status) => status !== 400)).toEqual([]);
  });

  test('pipelined requests are answered in order, and an invalid one ends the connection', async () => {
    const auth = `Authorization: ${person.bearer}`;
    const one = lines('GET /users/me', [auth]).replace('close', 'keep-alive');
    const other = lines('GET /nowhere', [auth]).replace('close', 'keep-alive');
    const last = lines('GET /users/me', [auth]);
    expect(await missing(one + other + last)).toEqual([200, 404, 200]);
    // Node closes the connection immediately, so earlier requests may get no response.
    const [final] = (await missing(`${one}\0\0\0garbage\r\n\r\n${last}`)).toReversed();
    expect(final).toBe(400);
  });
});

describe('the size of headers', () => {
  test('300 small headers are accepted, and a header of 10 KB gets 431 before any function runs', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `X-${i}: ${i}`);
    const auth = `Authorization: ${person.bearer}`;
    const [fine] = await wire(world.url, lines('GET /users/me', [auth, ...many]));
    expect(fine?.status).toBe(200);
    const [large] = await wire(
      world.url,
      lines('GET /users/me', [auth, `X-A: ${'a'.repeat(10_240)}`]),
    );
    expect([large?.status, large?.headers.get('x-request-id')]).toEqual([431, null]);
  });
});

test('none of these requests has changed anything', async () => {
  // Only this project: the tests signed a user in to another one.
  const ours = (items: unknown[]) =>
    items.filter((item) => JSON.stringify(item).includes(world.project.project_id));
  expect(ours(await world.table.all())).toEqual(ours(before));
});
