import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { type ClientRequest, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isCallable, stripBrackets, targetProblem } from './target.ts';

export type Resolver = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Thrown, or emitted as `error`, for a URL or an address behind it that the service does not call. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}

/**
 * Begins one request to a URL that somebody else has chosen. To prevent SSRF and DNS rebinding, every address of the
 * host name must be public, and the connection uses one of the checked addresses. Redirects are not followed, because
 * they could lead to a forbidden address. Throws `AddressForbidden`.
 */
export function openRequest(
  target: string,
  { method, headers }: { method: string; headers: Record<string, string> },
  {
    local,
    signal,
    resolve = systemLookup,
  }: {
    /** True if plain http to this machine is allowed. */
    local: boolean;
    signal: AbortSignal;
    resolve?: Resolver;
  },
): ClientRequest {
  if (targetProblem(target, local) !== undefined) throw new AddressForbidden();
  const url = new URL(target);
  const host = stripBrackets(url.hostname);
  // Node connects to a literal IP address without a lookup, so it is checked here.
  if (isIP(host) > 0 && !isCallable(host, url.hostname, local)) throw new AddressForbidden();
  return (url.protocol === 'https:' ? overHttps : overHttp)(url, {
    method,
    headers: { ...headers, connection: 'close' },
    // A kept-alive connection would skip the address check, and is dead when a frozen instance resumes.
    agent: false,
    lookup: checkedLookup(resolve, (address) => isCallable(address, url.hostname, local)),
    signal,
  });
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
