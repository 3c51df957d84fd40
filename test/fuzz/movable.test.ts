import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { movable } from './movable.ts';

async function engineAt(host: string, name: string): Promise<string> {
  const server = createServer((_, response) => response.end(name));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, host, resolve);
  await promise;
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  return `http://${host}:${typeof address === 'object' ? address?.port : ''}`;
}

/** Other systems have one loopback address. */
const hosts = process.platform === 'linux' ? ['127.0.0.1', '127.11.22.33'] : ['127.0.0.1'];

test('leads to the engine that it was moved to last, at whatever loopback address', async () => {
  const front = await movable();
  onTestFinished(() => front.close());
  const ask = async () => {
    const { body } = await fetch(front.url);
    return body ? text(body) : '';
  };
  await expect(ask()).rejects.toThrow('fetch failed');
  for (const host of hosts) {
    front.moveTo(await engineAt(host, host));
    expect(await ask()).toBe(host);
  }
});
