import type { IncomingMessage } from 'node:http';
import { currentRequest } from '../db/request-context.ts';
import { openRequest, type Resolver } from './request.ts';
import { isLocalService } from './target.ts';

/** Milliseconds of one call to an identity provider, to the last byte. */
export const maxCallTime = 5_000;
/** Bytes of a response. The largest known key sets have about 20 KB. */
const maxBytes = 256 * 1024;

type Init = {
  method?: string | undefined;
  headers?: Headers | Record<string, string> | undefined;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
  /** Milliseconds, where it is not `maxCallTime`. */
  time?: number;
};

/**
 * `fetch` for addresses of identity providers, with the checks of `openRequest`: https to public addresses only, but
 * for a service on a developer's machine, no redirect followed, 5 s and 256 KB at most. It also ends with the request
 * that it is for. Rejects if there is no complete response.
 */
export async function safeFetch(
  url: string | URL,
  { method = 'GET', headers, body, signal, time = maxCallTime }: Init = {},
  resolve?: Resolver,
): Promise<Response> {
  const ends = [currentRequest().signal, AbortSignal.timeout(time)];
  const cut = AbortSignal.any(signal ? [...ends, signal] : ends);
  const content = body === undefined || body === null ? undefined : Buffer.from(String(body));
  const request = openRequest(
    String(url),
    {
      method,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        ...(content && { 'content-length': String(content.length) }),
      },
    },
    { local: isLocalService(), signal: cut, ...(resolve && { resolve }) },
  );
  const { promise, resolve: take, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', take);
  request.on('error', reject);
  request.on('upgrade', (_, socket) => socket.destroy());
  // Settles a call that ended without any other event.
  request.on('close', () => reject(new Error('The connection was closed')));
  request.end(content);
  const response = await promise;
  const received = await read(response);
  const { statusCode: status = 0 } = response;
  // Those have no body, and `Response` refuses one.
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : received, { status, headers: headersOf(response) });
}

async function read(response: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the connection.
    if (size > maxBytes) throw new Error('The response is too large');
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('The response is incomplete');
  return Buffer.concat(chunks);
}

const headersOf = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
