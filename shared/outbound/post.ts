import type { ClientRequest } from 'node:http';
import type { CallFailure } from '../model/call-failures.ts';
import { AddressForbidden, openRequest, type Resolver } from './request.ts';

/** The result of a call. Only a 2xx status is a success. `failure`: there was no response. */
export type Outcome = { status_code: number; body?: string } | { failure: CallFailure };

/** Milliseconds for a whole call: resolve, connect, send, and receive the response head. */
export const maxCallTime = 15_000;
/** Bytes of a response that are read, so that the receiver can complete it normally. */
const maxRead = 16 * 1024;

export type PostOptions = {
  /** True if plain http to this machine is allowed. */
  local: boolean;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  /** Returns the body too, which must not exceed `maxRead`. */
  wantsBody?: boolean;
  resolve?: Resolver;
};

/**
 * Sends a POST request to a customer's URL, once, and returns the result; never throws. `openRequest` decides which
 * addresses it may reach.
 */
export async function postOnce(
  target: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { local, signal, timeout = maxCallTime, wantsBody, resolve }: PostOptions,
): Promise<Outcome> {
  const cut = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  let request: ClientRequest;
  try {
    request = openRequest(
      target,
      { method: 'POST', headers },
      { local, signal: cut, ...(resolve && { resolve }) },
    );
  } catch (error) {
    return { failure: failureOf(error as Error) };
  }
  const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
  request.on('response', (response) => {
    const status_code = response.statusCode ?? 0;
    if (!wantsBody) settle({ status_code });
    const chunks: Buffer[] = [];
    let read = 0;
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read <= maxRead) return void chunks.push(chunk);
      // A part of a body is none.
      settle({ failure: 'connection_failed' });
      return response.destroy();
    });
    response.on('end', () => settle({ status_code, body: Buffer.concat(chunks).toString() }));
    response.on('error', () => {});
  });
  request.on('error', (error) => settle({ failure: cut.aborted ? 'timeout' : failureOf(error) }));
  // For a 101 response Node hands over the socket and emits no other event.
  request.on('upgrade', ({ statusCode = 0 }, socket) => {
    settle({ status_code: statusCode });
    socket.destroy();
  });
  // Settles a call that ended without any other event, so that the caller never waits for ever.
  request.on('close', () => settle({ failure: cut.aborted ? 'timeout' : 'connection_failed' }));
  request.end(body);
  return promise;
}

function failureOf(error: NodeJS.ErrnoException): CallFailure {
  const { code = '' } = error;
  if (error instanceof AddressForbidden) return 'address_forbidden';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_resolved';
  return /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)
    ? 'tls_failed'
    : 'connection_failed';
}
