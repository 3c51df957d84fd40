import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  createServer as createTlsServer,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { post, type Sending, sendings } from '#shared/db/transport/http.ts';
import { makeCertificate } from '../../../deployed/certificate.ts';

const answer = (more = '') => `HTTP/1.1 200 OK\r\n${more}content-length: 2\r\n\r\n{}`;

/** Starts a server that handles raw connections, and creates the function that posts to it. */
async function serve(server: Server, scheme = 'http') {
  const open: Socket[] = [];
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.push(socket.on('error', () => {}));
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const to = new URL(`${scheme}://localhost:${port}`);
  const send = (
    headers: Record<string, string> = {},
    body: string | Uint8Array = '{}',
    bounds = { connection: 5_000, response: 10_000 },
  ) => post({ to, headers: { host: to.host, ...headers }, body }, undefined, bounds);
  return { open, send, port };
}

/** Posts to this address with the bounds of the service. */
const postTo = (address: string, signal?: AbortSignal, headers: Record<string, string> = {}) => {
  const to = new URL(address);
  return post({ to, headers: { host: to.host, ...headers }, body: '{}' }, signal);
};

/** A server that keeps the requests that it receives, and by default answers each in the same way. */
function recording(react: (socket: Socket) => unknown = (socket) => socket.write(answer())) {
  const received: string[] = [];
  const server = createServer((socket) =>
    socket.on('data', (bytes) => {
      received.push(bytes.toString());
      react(socket);
    }),
  );
  return { received, server };
}
const saying = (text: string) => recording((socket) => socket.write(text)).server;

test('a request is sent as HTTP/1.1, with a body of text or bytes', async () => {
  const { received, server } = recording();
  const { send } = await serve(server);
  await send({ 'x-a': 'b' }, '{"ä":1}');
  await send({ 'x-a': 'b' }, Buffer.from('{"ä":1}'));
  const [text, bytes] = received;
  expect(text).toMatch(
    /^POST \/ HTTP\/1\.1\r\nhost: localhost:\d+\r\nx-a: b\r\ncontent-length: 8\r\n\r\n\{"ä":1\}$/,
  );
  expect(bytes).toBe(text);
});

test('a header of two lines is refused, because the second would be a separate header', async () => {
  const { open, send } = await serve(saying(answer()));
  const sent = send({ 'x-a': 'b\r\nhost: elsewhere' });
  await expect(sent).rejects.toThrow(/x-a has more than one line/);
  expect(open).toEqual([]);
});

test.runIf(
  Object.values(networkInterfaces())
    .flat()
    .some((each) => each?.address === '::1'),
)('an endpoint can be an IPv6 address', async () => {
  const server = saying(answer()).listen(0, '::1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = `http://[::1]:${(server.address() as AddressInfo).port}`;
  const sent = postTo(address, undefined, { connection: 'close' });
  expect(await sent).toMatchObject({ statusCode: 200 });
});

test('after a request without a response, no request uses an older connection', async () => {
  let isDeaf = false;
  const { open, send } = await serve(
    createServer((socket) => {
      const hears = !isDeaf;
      socket.on('data', () => {
        if (!isDeaf || !hears) socket.write(answer());
      });
    }),
  );
  await Promise.all(Array.from({ length: 5 }, async () => send()));
  expect(open.length).toBe(5);
  isDeaf = true;
  await expect(send({}, '{}', { connection: 300, response: 500 })).rejects.toThrow('No response');
  expect(await send()).toMatchObject({ statusCode: 200 });
  expect(open.length).toBe(6);
  await expect.poll(() => open.filter(({ closed }) => closed).length).toBe(5);
});

test('a connection is reused until its server or a response ends it', async () => {
  let more = '';
  const { open, send } = await serve(recording((socket) => socket.write(answer(more))).server);
  await send();
  await send();
  expect(open.length).toBe(1);
  open[0]?.end();
  await expect.poll(() => open[0]?.closed).toBe(true);
  more = 'connection: close\r\n';
  await send();
  await send();
  expect(open.length).toBe(3);
});

test('a connection that its server is about to end is not reused', async () => {
  const { open, send } = await serve(saying(answer('keep-alive: timeout=1\r\n')));
  await send();
  await send();
  expect(open.length).toBe(2);
  await expect.poll(() => open[0]?.closed).toBe(true);
});

test('a connection that breaks does not close an idle one', async () => {
  // The first hangs until it breaks.
  const { received, server } = recording((socket) => received.length > 1 && socket.write(answer()));
  const { open, send } = await serve(server);
  const hanging = send();
  await expect.poll(() => received.length).toBe(1);
  await send();
  open[0]?.destroy();
  await expect(hanging).rejects.toMatchObject({ code: 'ECONNRESET' });
  await send();
  expect(open.length).toBe(2);
});

test('an unrequested response is never used for the next request', async () => {
  const { open, send } = await serve(saying(answer('x-a: asked\r\n')));
  await send();
  open[0]?.write(answer('x-a: unasked\r\n'));
  await expect.poll(() => open[0]?.closed).toBe(true);
  expect((await send()).headers['x-a']).toBe('asked');
  expect(open.length).toBe(2);
});

test('beyond 128 concurrent requests the others wait, even while connections break', async () => {
  const { received, server } = recording((socket) => {
    const breaks = received.length % 4 === 0;
    setTimeout(() => (breaks ? socket.destroy() : socket.write(answer())), 5);
  });
  let most = 0;
  let now = 0;
  server.on('connection', (socket) => {
    most = Math.max(most, (now += 1));
    socket.on('close', () => (now -= 1));
  });
  const { send } = await serve(server);
  const outcomes = await Promise.allSettled(Array.from({ length: 600 }, async () => send()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(450);
  expect(most).toBeLessThanOrEqual(128);
});

test('a request that waits for a connection ends by its deadline or signal, and is never sent', async () => {
  const { received, server } = recording(() => {});
  const { open, send, port } = await serve(server);
  const outcomes = Promise.allSettled(Array.from({ length: 128 }, async () => send()));
  await expect.poll(() => received.length).toBe(128);
  const abortion = new AbortController();
  const rest = Promise.allSettled([send()]);
  await expect(send({}, '{}', { connection: 10, response: 60 })).rejects.toThrow('in 60 ms');
  const waiting = postTo(`http://localhost:${port}`, abortion.signal);
  abortion.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([open.length, received.length]).toEqual([128, 128]);
  for (const socket of open) socket.destroy();
  await outcomes;
  // The other waiting request is sent now.
  await expect.poll(() => received.length).toBe(129);
  for (const socket of open) socket.destroy();
  await rest;
});

test('a subscriber can add a header, or refuse a request before it is sent', async () => {
  expect(sendings.name).toBe('aws.request.created');
  const watch = (message: unknown) => {
    const sending = message as Sending;
    if (sending.headers['x-a'] === 'refuse') sending.refusal = new Error('refused');
    sending.headers['x-b'] = 'added';
  };
  sendings.subscribe(watch);
  onTestFinished(() => {
    sendings.unsubscribe(watch);
  });
  const { received, server } = recording();
  const { send } = await serve(server);
  await expect(send({ 'x-a': 'refuse' })).rejects.toThrow('refused');
  await send({ 'x-a': 'send' });
  expect(received).toEqual([expect.stringContaining('\r\nx-b: added\r\n')]);
});

test('a response without a length ends with its connection', async () => {
  const text = 'HTTP/1.1 200 OK\r\n\r\nto the end';
  const { open, send } = await serve(recording((socket) => socket.end(text)).server);
  expect((await send()).body.toString()).toBe('to the end');
  expect((await send()).body.toString()).toBe('to the end');
  expect(open.length).toBe(2);
});

test('a connection that its server keeps for ten seconds is reused', async () => {
  const { open, send } = await serve(saying(answer('keep-alive: timeout=10\r\n')));
  await send();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await send();
  expect(open.length).toBe(1);
});

test('a request keeps the process alive, and an idle connection does not', async () => {
  const { received, server } = recording((socket) => setTimeout(() => socket.write(answer()), 200));
  const { port } = await serve(server);
  const script = `
    const { post } = await import('${new URL('../../../../shared/db/transport/http.ts', import.meta.url).href}');
    const to = new URL('http://localhost:${port}');
    const sent = () =>
      post({ to, headers: { host: to.host }, body: '{}' }, undefined).catch((error) =>
        // For a busy machine: the test's process also runs the server.
        error.name === 'TimeoutError' ? sent() : Promise.reject(error));
    sent().then(sent).then(() => console.log('done'));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  expect(stdout).toBe('done\n');
  expect(received.length).toBeGreaterThanOrEqual(2);
});

test('by TLS, the certificate must be trusted and be that of the host; a session is resumed', async () => {
  const listen = async (certificate: { key: string; cert: string }) => {
    const settings = { ...certificate, ALPNProtocols: ['h2', 'http/1.1'] };
    const server = createTlsServer(settings, (socket) =>
      socket.on('data', () => socket.end(answer('connection: close\r\n'))),
    );
    return serve(server, 'https');
  };
  const [ours, others] = [makeCertificate('localhost'), makeCertificate('example.com')];
  const [ok, another] = [await listen(ours), await listen(others)];
  await expect(ok.send()).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  setDefaultCACertificates([ours.cert, others.cert]);
  await expect(another.send()).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  expect((await ok.send()).body.toString()).toBe('{}');
  expect((await ok.send()).body.toString()).toBe('{}');
  const resumed = ok.open.filter((socket) => (socket as TLSSocket).isSessionReused());
  expect(resumed).toEqual([ok.open.at(-1)]);
  const spoken = ok.open.map((socket) => socket as TLSSocket & { servername: string });
  expect(spoken.map(({ servername }) => servername)).toEqual(['localhost', 'localhost']);
  expect(spoken.map(({ alpnProtocol }) => alpnProtocol)).toEqual(['http/1.1', 'http/1.1']);
});

test('by TLS, an IP address is not sent as a server name', async () => {
  const certificate = makeCertificate('localhost');
  const named: string[] = [];
  const SNICallback = (name: string, done: (error: null) => void) => {
    named.push(name);
    done(null);
  };
  const server = createTlsServer({ ...certificate, SNICallback });
  const { send, port } = await serve(server, 'https');
  const byAddress = postTo(`https://127.0.0.1:${port}`);
  await expect(byAddress).rejects.toThrow(/self-signed|alternative/);
  expect(named).toEqual([]);
  await expect(send()).rejects.toThrow(/self-signed/);
  expect(named).toEqual(['localhost']);
});
