import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { post } from '#shared/db/transport/http.ts';

function sendTo(port: number) {
  const to = new URL(`http://127.0.0.1:${port}`);
  return (signal?: AbortSignal, bounds?: { connection: number; response: number }) =>
    post({ to, headers: { host: to.host }, body: '{}' }, signal, bounds);
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, port, send: sendTo(port) };
}

test('a response is read whole, in any number of parts', async () => {
  const ä = Buffer.from('ä');
  const { send } = await serve((_, response) => {
    response.writeHead(201, { date: 'Sun, 22 Nov 2026 08:00:00 GMT' }).write(ä.subarray(0, 1));
    setTimeout(() => response.end(Buffer.concat([ä.subarray(1), Buffer.alloc(100_000, 'b')])), 20);
  });
  const { statusCode, headers, body } = await send();
  expect([statusCode, headers.date]).toEqual([201, 'Sun, 22 Nov 2026 08:00:00 GMT']);
  expect(body.toString()).toBe(`ä${'b'.repeat(100_000)}`);
});

test('a thousand calls, of which every tenth breaks, leave one connection, one timer and no listener', async () => {
  let calls = 0;
  const { server, send } = await serve((request, response) => {
    calls += 1;
    if (calls % 10 === 0) request.socket.destroy();
    else request.resume().on('end', () => response.writeHead(200).end('{}'));
  });
  const { signal } = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  const outcomes = { done: 0, broken: 0 };
  for (let i = 0; i < 1_000; i += 1)
    await send(signal).then(
      () => (outcomes.done += 1),
      () => (outcomes.broken += 1),
    );
  expect(outcomes).toEqual({ done: 900, broken: 100 });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(timers() - before).toBeLessThanOrEqual(1);
  await send(signal);
  const open = await new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(open).toBe(1);
});

const begun = { 'content-length': 9 };
test.each<[string, RequestListener]>([
  ['no response', () => {}],
  ['the rest of a response', (_, response) => response.writeHead(200, begun).write('{')],
])('TimeoutError after half a second of %s', async (_, listener) => {
  const { send } = await serve(listener);
  const began = Date.now();
  await expect(send()).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(Date.now() - began).toBeGreaterThanOrEqual(495);
});

test('a response that arrives while the process is busy past both timeouts is accepted', async () => {
  const server = new Worker(
    `import { createServer } from 'node:http';
     import { parentPort } from 'node:worker_threads';
     let connections = 0;
     const server = createServer((_, response) => response.end(String(connections)))
       .on('connection', () => (connections += 1))
       .listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  onTestFinished(async () => void (await server.terminate()));
  const [port] = await once(server, 'message');
  const sent = sendTo(port);
  const busy = (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };
  // Both the connection and later the response are ready before the process handles either.
  const first = sent();
  busy(350);
  expect(await first).toMatchObject({ statusCode: 200 });
  const second = sent();
  await new Promise(setImmediate);
  busy(600);
  expect(await second).toMatchObject({ statusCode: 200 });
  // A response in time ends the deadline: the connection serves the next request.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await sent()).body.toString()).toBe('1');
});

test('TimeoutError after 0.3 s without a connection', async () => {
  const server = new Worker(
    `const { createServer } = require('node:net');
     const { parentPort } = require('node:worker_threads');
     const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       // It accepts no connection, and the system queues only a few for it.
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port] = await once(server, 'message');
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(async () => {
    for (const socket of waiting) socket.destroy();
    await server.terminate();
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const began = Date.now();
  await expect(sendTo(port)()).rejects.toThrow('No connection in 300 ms');
  expect(Date.now() - began).toBeGreaterThanOrEqual(295);
});

test('the timeout of the response begins with the request', async () => {
  const { send } = await serve((_, response) => void setTimeout(() => response.end(), 2_700));
  const sent = send(undefined, { connection: 1_000, response: 1_200 });
  await expect(sent).rejects.toThrow('No response in 1200 ms');
});

test('AbortError once the signal aborts, or if it was aborted before', async () => {
  const { send, port } = await serve(() => {});
  const aborted = { name: 'AbortError', message: `Request to 127.0.0.1:${port} aborted` };
  await expect(send(AbortSignal.timeout(30))).rejects.toMatchObject(aborted);
  await expect(send(AbortSignal.abort())).rejects.toMatchObject(aborted);
});

test.each([
  ['before the response', 'ECONNRESET', ''],
  ['in the middle of the response', 'ECONNRESET', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'],
  ['with a text that is not HTTP', 'EPROTO', 'hello\r\n\r\n'],
])('an error with a code if the connection ends %s', async (_, code, said) => {
  const server = createSocketServer((socket) => {
    socket.once('data', () => socket.end(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const send = sendTo((server.address() as AddressInfo).port);
  const message = code === 'ECONNRESET' ? 'The connection ended before the response.' : /HTTP/;
  const failure = { code, message: expect.stringMatching(message) };
  await expect(send()).rejects.toMatchObject(failure);
  server.close();
  await once(server, 'close');
  await expect(send()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
