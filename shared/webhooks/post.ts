import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { CallFailure } from '../model/call-failures.ts';
import { isCallable, stripBrackets, targetProblem } from './target.ts';

/** What came of a call. 2xx alone is a success. `failure` where there was no answer at all. */
export type Outcome = { status_code: number } | { failure: CallFailure };

/** Milliseconds for a whole call: resolving, connecting, sending, and the head of the answer. */
export const maxCallTime = 15_000;
/** Bytes of an answer that are read; nobody looks at them, they only let the other side end in peace. */
const maxRead = 16 * 1024;

type Resolver = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type PostOptions = {
  /** Whether http to this machine is allowed. */
  local: boolean;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  resolve?: Resolver;
};

class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}

/**
 * Sends a body by POST to a stranger's URL, once, and says what came of it; never throws. Every address behind the name
 * must be public, and the connection goes to one of those that were judged, so a name that changes meanwhile changes
 * nothing. No redirect is followed: it might lead where the URL may not.
 */
export async function post(
  target: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { local, signal, timeout = maxCallTime, resolve = systemLookup }: PostOptions,
): Promise<Outcome> {
  if (targetProblem(target, local) !== undefined) return { failure: 'address_forbidden' };
  const url = new URL(target);
  const host = stripBrackets(url.hostname);
  // A literal address is connected to without any lookup.
  if (isIP(host) > 0 && !isCallable(host, url.hostname, local))
    return { failure: 'address_forbidden' };
  const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
  const cut = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'POST',
    headers: { ...headers, connection: 'close' },
    // A connection that is kept would skip the judging of addresses.
    agent: false,
    lookup: checkedLookup(resolve, (address) => isCallable(address, url.hostname, local)),
    signal: cut,
  });
  request.on('response', (response) => {
    settle({ status_code: response.statusCode ?? 0 });
    let read = 0;
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > maxRead) response.destroy();
    });
    response.on('error', () => {});
  });
  request.on('error', (error) => settle({ failure: cut.aborted ? 'timeout' : failureOf(error) }));
  // Node hands over the connection of a 101, and is done with it.
  request.on('upgrade', ({ statusCode = 0 }, socket) => {
    settle({ status_code: statusCode });
    socket.destroy();
  });
  // However a call ends, it ends: who waits for it has nothing else to wait for.
  request.on('close', () => settle({ failure: cut.aborted ? 'timeout' : 'connection_failed' }));
  request.end(body);
  return promise;
}

/** A lookup that fails where any address of a name is not to be called, and else gives them all. */
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
