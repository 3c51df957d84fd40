import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { isThisMachine } from '../shared/model/env.ts';
import { isLoopback } from '../shared/outbound/address.ts';

/** The response of an emulated AWS service: a status and a body, no response at all, or a broken connection. */
export type Answered = { status: number; body: object; errorType?: string } | 'hang' | 'lose';

/** The error of an AWS service, which its JSON protocols name in the header or in the body. */
export const refusal = (status: number, errorType: string, message: string) => ({
  status,
  errorType,
  body: { __type: errorType, message },
});

/**
 * Serves one of the JSON protocols of AWS on a free loopback port. A request whose answer rejects, as for a body that is
 * no JSON, loses its connection.
 */
export async function serveJson(
  type: 'application/json' | 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1',
  answer: (incoming: IncomingMessage, body: string) => Answered | Promise<Answered>,
): Promise<{ endpoint: string; close(): void }> {
  const server = localServer((incoming, response) => {
    text(incoming)
      .then((body) => answer(incoming, body))
      .then((answered) => {
        if (answered === 'hang') return;
        if (answered === 'lose') return void response.destroy();
        const { status, body, errorType } = answered;
        if (errorType !== undefined) response.setHeader('x-amzn-errortype', errorType);
        response.writeHead(status, { 'content-type': type });
        response.end(JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
  const endpoint = await listenOnLoopback(server);
  return {
    endpoint,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Creates a server for programs of this machine. Emulated AWS services verify no signature, so a web page that reaches
 * one under a foreign name (DNS rebinding) gets 421.
 */
function localServer(serve: RequestListener) {
  return createServer((incoming, response) => {
    if (isLocal(incoming)) return serve(incoming, response);
    incoming.resume();
    response.writeHead(421).end();
  });
}

/** Listens on a free loopback port and returns the URL. Rejects if it cannot. */
export async function listenOnLoopback(server: Server): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * True if a request comes from this machine and its Host header is one of this machine's names. A foreign page whose
 * name resolves to this machine (DNS rebinding) sends its own name.
 */
export function isLocal({ headers, socket }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return isLoopback(socket.remoteAddress ?? '') && isThisMachine(host);
}

/** A free loopback port, for a program that takes only a number. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const url = await listenOnLoopback(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
  return Number(new URL(url).port);
}
