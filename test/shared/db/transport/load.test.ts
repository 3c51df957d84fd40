/** @module-tag proof */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { post } from '#shared/db/transport/http.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const liveMegabytes = () => {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** A few calls fail in different ways; rarely by a timeout, because it is slow. */
function wayOf(i: number): 'break' | 'abort' | 'hang' | 'answer' {
  if (i % 50 === 0) return 'break';
  if (i % 50 === 2) return 'abort';
  return i % 640 === 1 ? 'hang' : 'answer';
}

test('memory and sockets stay flat under load, while calls break, abort and time out', async () => {
  const open = new Set<Socket>();
  let maxOpen = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const way = request.headers['x-way'];
      if (way === 'break') request.socket.destroy();
      else if (way !== 'hang') response.end('{"Item":{}}');
    });
  });
  server.on('connection', (socket) => {
    open.add(socket);
    maxOpen = Math.max(maxOpen, open.size);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const to = new URL(`http://127.0.0.1:${port}`);

  let failed = 0;
  const call = async (i: number) => {
    const way = wayOf(i);
    const abortion = new AbortController();
    const headers = { host: to.host, 'x-way': way === 'abort' ? 'hang' : way };
    const bounds = { connection: 2_000, response: way === 'hang' ? 2_200 : 30_000 };
    const posted = post({ to, headers, body: 'x'.repeat(1_000) }, abortion.signal, bounds);
    if (way === 'abort') setTimeout(() => abortion.abort(), 5);
    await posted.then(
      ({ statusCode }) => expect([way, statusCode]).toEqual(['answer', 200]),
      () => {
        expect(way).not.toBe('answer');
        failed += 1;
      },
    );
  };
  const quarter = async (from: number) => {
    // 64 at a time, like concurrent requests.
    for (let i = from; i < from + 1_280; i += 64)
      await Promise.all(Array.from({ length: 64 }, (_, j) => call(i + j)));
    return { heap: liveMegabytes(), sockets: open.size };
  };
  const measured = [];
  for (const i of [0, 1, 2, 3]) measured.push(await quarter(i * 1_280));

  expect(failed).toBeGreaterThan(200);
  expect(maxOpen).toBeLessThanOrEqual(128);
  const [, second, , last] = measured;
  expect(last!.sockets).toBeLessThanOrEqual(64 + 8);
  expect(last!.heap - second!.heap).toBeLessThan(2);
});
