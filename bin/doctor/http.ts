import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { json } from 'node:stream/consumers';

/** Milliseconds. */
const patience = 10_000;

/** RFC 6761: these names are this machine, although some resolvers do not know them. */
const loopback: LookupFunction = (_name, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

/** Calls the service. Rejects if there is no JSON response in time. */
export function call(
  baseUrl: string,
  method: string,
  path: string,
  { authorization, body }: { authorization?: string; body?: object } = {},
): Promise<{ status: number; body: unknown }> {
  const url = new URL(baseUrl + path);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
    method,
    headers: {
      ...(authorization && { authorization }),
      ...(body && { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(patience),
    ...(url.hostname.endsWith('.localhost') && { lookup: loopback }),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    json(response).then(
      (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
      reject,
    );
  });
  request.end(body && JSON.stringify(body));
  return promise;
}
