import {
  createServer,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listenOnLoopback } from '../../local/loopback.ts';
import { checker, type Document } from '../fuzz/document.ts';
import type { Response } from '../fuzz/send.ts';
import type { Pace } from './pace.ts';

/** The uncompressed bytes of a response. */
function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}

/** The response to one request. */
export type Exchange = { route: string; status: number; flaws: string[] };

/** An HTTP server on this machine that forwards every request to the deployed API, and records the responses. */
export type FrontDoor = {
  url: string;
  exchanges: readonly Exchange[];
  close(): void;
};

/**
 * Starts the proxy to the API. The emulator identifies the API by the Host header, so the host name need not resolve.
 * Requests are sequential. Every response is checked against the OpenAPI document that the API itself serves.
 */
export async function openFrontDoor(
  emulatorUrl: string,
  baseUrl: string,
  pace: Pace,
): Promise<FrontDoor> {
  const { hostname, port } = new URL(emulatorUrl);
  const { host } = new URL(baseUrl);
  const exchanges: Exchange[] = [];

  const send = async (
    method: string,
    path: string,
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): Promise<Response & { body: Buffer }> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    open({ hostname, port, method, path, headers: { ...headers, host }, agent: false })
      .on('error', reject)
      .on('response', resolve)
      .end(body);
    const incoming = await promise;
    const answered = await buffer(incoming);
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      text: decoded(answered, incoming.headers['content-encoding']).toString('utf8'),
      body: answered,
    };
  };

  const { text } = await send('GET', '/openapi.json', {}, Buffer.alloc(0));
  const check = checker(JSON.parse(text) as Document);

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = incoming;
    const request = { method, path, headers: {}, from: '' };
    const sent = await buffer(incoming);
    const answer = await pace(() => send(method, path, incoming.headers, sent));
    exchanges.push({
      route: check.routeOf(request)?.name ?? `${method} ${path}`,
      status: answer.status,
      flaws: check.flaws(request, answer).map((flaw) => `${method} ${path}: ${flaw}`),
    });
    const { 'transfer-encoding': _, ...headers } = answer.headers;
    outgoing.writeHead(answer.status, headers).end(answer.body);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    exchanges,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
