import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { CallFailure } from '../model/call-failures.ts';
import { isCallable, stripBrackets, targetProblem } from './target.ts';

/** The result of a call. Only a 2xx status is a success. `failure`: there was no response. */
export type Outcome = { status_code: number; body?: string } | { failure: CallFailure };

/** Milliseconds for a whole call: resolve, connect, send, and receive the response head. */
export const maxCallTime = 15_000;
/** Bytes of a response that are read, so that the receiver can complete it normally. */
const maxRead = 16 * 1024;

type Resolver = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

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

class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}

/**
 * Sends a POST request to a customer's URL, once, and returns the result; never throws. To prevent SSRF and DNS
 * rebinding, every address of the host name must be public, and the connection uses one of the checked addresses.
 * Redirects are not followed, because they could lead to a forbidden address.
 */
export async function post(
  target: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { local, signal, timeout = maxCallTime, wantsBody, resolve = systemLookup }: PostOptions,
): Promise<Outcome> {
  if (targetProblem(target, local) !== undefined) return { failure: 'address_forbidden' };
  const url = new URL(target);
  const host = stripBrackets(url.hostname);
  // Node connects to a literal IP address without a lookup, so it is checked here.
  if (isIP(host) > 0 && !isCallable(host, url.hostname, local))
    return { failure: 'address_forbidden' };
  const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
  const cut = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'POST',
    headers: { ...headers, connection: 'close' },
    // A kept-alive connection would skip the address check.
    agent: false,
    lookup: checkedLookup(resolve, (address) => isCallable(address, url.hostname, local)),
    signal: cut,
  });
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

/** A DNS lookup that fails if any address of the name is forbidden, and otherwise returns all of them. */
function checkedLookup(resolve: Resolver, mayCall: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !mayCall(address)))
        return callback(new AddressForbidden(), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

function failureOf(error: NodeJS.ErrnoException): CallFailure {
  const { code = '' } = error;
  if (error instanceof AddressForbidden) return 'address_forbidden';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_resolved';
  return /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)
    ? 'tls_failed'
    : 'connection_failed';
}
