import type { LookupAddress } from 'node:dns';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { type PostOptions, postOnce } from '#shared/outbound/post.ts';
import { freePort } from '../../../local/loopback.ts';

const servers: (Server | TcpServer)[] = [];
afterAll(() => {
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

/** Listens on this machine; returns the port and the received requests. */
async function listen(answer: (response: ServerResponse) => unknown) {
  const arrived: { method?: string | undefined; host?: string | undefined; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      arrived.push({ method: request.method, host: request.headers.host, text });
      answer(response);
    });
  });
  return { port: await portOf(server), arrived };
}

async function portOf(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const never = new AbortController().signal;
const content = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
const send = (url: string, options: Partial<PostOptions> = {}) =>
  postOnce(url, content, { local: true, signal: never, ...options });
/** A name server that resolves every name to these addresses. */
const knowing = (...addresses: string[]) => {
  const asked: string[] = [];
  const resolve: PostOptions['resolve'] = (host, _, callback) => {
    asked.push(host);
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    );
    callback(null, found);
  };
  return { resolve, asked };
};

describe('a requested body', () => {
  test('is returned whole, with any status', async () => {
    for (const status of [200, 400]) {
      const { port } = await listen((response) => response.writeHead(status).end('{"b":2}'));
      const outcome = await send(`http://localhost:${port}/`, { wantsBody: true });
      expect(outcome).toEqual({ status_code: status, body: '{"b":2}' });
    }
  });

  test('is a failure if it is too long or breaks off', async () => {
    const answers: ((response: ServerResponse) => unknown)[] = [
      (response) => response.end(`{"b":2}${' '.repeat(17_000)}`),
      (response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"b":2}', () => response.destroy());
      },
    ];
    for (const answer of answers) {
      const { port } = await listen(answer);
      const outcome = await send(`http://localhost:${port}/`, { wantsBody: true });
      expect(outcome).toEqual({ failure: 'connection_failed' });
    }
  });
});

describe('a call', () => {
  test('sends the body and returns any status', async () => {
    for (const status of [200, 204, 299, 301, 400, 410, 500, 503]) {
      const { port, arrived } = await listen((response) => response.writeHead(status).end('x'));
      expect(await send(`http://localhost:${port}/hook`)).toEqual({ status_code: status });
      expect(arrived).toEqual([{ method: 'POST', host: `localhost:${port}`, text: '{"a":1}' }]);
    }
  });

  test('goes to the address that was checked, which is resolved once', async () => {
    const { port, arrived } = await listen((response) => response.end());
    const { resolve, asked } = knowing('127.0.0.1');
    expect(await send(`http://localhost:${port}/`, { resolve })).toEqual({ status_code: 200 });
    expect([arrived.length, asked]).toEqual([1, ['localhost']]);
  });

  test('follows no redirect', async () => {
    const second = await listen((response) => response.end());
    const location = `http://localhost:${second.port}/`;
    const { port } = await listen((response) => response.writeHead(302, { location }).end());
    expect(await send(`http://localhost:${port}/`)).toEqual({ status_code: 302 });
    expect(second.arrived).toEqual([]);
  });

  test.each([
    ['however long the body', 'x'.repeat(100_000)],
    ['even if no body follows', ''],
  ])('returns when the status has come, %s', async (_, rest) => {
    const { port } = await listen((response) => {
      response.writeHead(200);
      response.flushHeaders();
      if (rest !== '') response.write(rest);
    });
    expect(await send(`http://localhost:${port}/`)).toEqual({ status_code: 200 });
  });

  test('ends with the status if another protocol is offered', async () => {
    const switching =
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
    const ended = Promise.withResolvers<void>();
    const server = createTcpServer((socket) => {
      socket
        .on('close', () => ended.resolve())
        .on('error', () => {})
        .resume();
      socket.write(switching);
    });
    const port = await portOf(server);
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ status_code: 101 });
    await ended.promise;
  });
});

describe('no call is made', () => {
  test.each([
    ['a private address', ['10.0.0.1']],
    ['this machine', ['127.0.0.1']],
    ['a public address and a private one', ['8.8.8.8', '192.168.0.1']],
    ['a public IPv4 address and a private IPv6 address', ['8.8.8.8', 'fd00::1']],
    ['no address', []],
  ])('if the name resolves to %s', async (_, addresses) => {
    const { resolve, asked } = knowing(...addresses);
    const outcome = await send('https://hooks.example.com/', { resolve });
    expect([outcome, asked]).toEqual([{ failure: 'address_forbidden' }, ['hooks.example.com']]);
  });

  test('if a name other than localhost resolves to this machine, even in development', async () => {
    const { port, arrived } = await listen((response) => response.end());
    const { resolve } = knowing('127.0.0.1');
    const outcome = await send(`https://hooks.example.com:${port}/`, { resolve });
    expect([outcome, arrived]).toEqual([{ failure: 'address_forbidden' }, []]);
  });

  test.each(['https://10.0.0.1:8443/', 'http://example.com/', 'no URL'])(
    'to %s, and no name is resolved',
    async (url) => {
      const { resolve, asked } = knowing('8.8.8.8');
      const outcome = await send(url, { resolve, local: false });
      expect([outcome, asked]).toEqual([{ failure: 'address_forbidden' }, []]);
    },
  );

  test('to this machine from a deployed service', async () => {
    const { port, arrived } = await listen((response) => response.end());
    const outcome = await send(`http://127.0.0.1:${port}/`, { local: false });
    expect([outcome, arrived]).toEqual([{ failure: 'address_forbidden' }, []]);
  });
});

describe('a call without a response fails because', () => {
  test.each<[string, () => Promise<number>]>([
    ['nothing listens', freePort],
    ['the connection breaks', async () => (await listen((response) => response.destroy())).port],
    [
      'the response is not HTTP',
      () => portOf(createTcpServer((socket) => void socket.end('220 ready\r\n'))),
    ],
    [
      'the connection ends immediately',
      () => portOf(createTcpServer((socket) => void socket.end())),
    ],
  ])('%s', async (_, start) => {
    const url = `http://127.0.0.1:${await start()}/`;
    expect(await send(url)).toEqual({ failure: 'connection_failed' });
  });

  test('TLS fails', async () => {
    const { port, arrived } = await listen((response) => response.end());
    const outcome = await send(`https://localhost:${port}/`);
    expect([outcome, arrived]).toEqual([{ failure: 'tls_failed' }, []]);
  });

  test('the name has no address', async () => {
    const resolve: PostOptions['resolve'] = (_, __, callback) =>
      callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []);
    expect(await send('https://hooks.example.com/', { resolve })).toEqual({
      failure: 'name_not_resolved',
    });
  });

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['nothing', () => {}],
    ['a head that never ends', (response) => response.socket?.write('HTTP/1.1 200 OK\r\nx: y\r\n')],
  ])('the server sends %s until the timeout', async (_, answer) => {
    const { port, arrived } = await listen(answer);
    const outcome = await send(`http://127.0.0.1:${port}/`, { timeout: 150 });
    expect([outcome, arrived.length]).toEqual([{ failure: 'timeout' }, 1]);
  });

  test('the name server does not respond until the timeout', async () => {
    const outcome = await send('https://hooks.example.com/', { timeout: 50, resolve: () => {} });
    expect(outcome).toEqual({ failure: 'timeout' });
  });

  test('the invocation ends', async () => {
    const { port } = await listen(() => {});
    const signal = AbortSignal.timeout(50);
    expect(await send(`http://127.0.0.1:${port}/`, { signal })).toEqual({ failure: 'timeout' });
  });
});
