import { Agent, type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { env } from '../../model/env.ts';

export type Post = {
  protocol: string;
  hostname: string;
  port?: number | undefined;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
};

export type HttpAnswer = { statusCode: number; headers: IncomingHttpHeaders; body: Buffer };

const settings = { keepAlive: true, maxSockets: 128 };
const agent = new Agent(settings);
const tlsAgent = new TlsAgent(settings);

/** Milliseconds from the start until a connection is open, and until the response is read. */
export type Bounds = { connection: number; response: number };
const boundsOfTable: Bounds = { connection: 300, response: 500 };

/**
 * POSTs a body and reads the whole response. Fails with `TimeoutError` when a bound is exceeded, with `AbortError` when
 * the signal aborts, and with Node's own error when the connection breaks.
 */
export function post(
  { body, ...to }: Post,
  signal: AbortSignal | undefined,
  bounds = boundsOfTable,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  if (signal?.aborted) {
    reject(aborted());
    return promise;
  }
  const secure = to.protocol === 'https:';
  const options = { ...to, method: 'POST', agent: secure ? tlsAgent : agent };
  options.headers = { ...to.headers, ...traced() };
  const sent = (secure ? requestTls : requestPlain)(options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      finish();
      const { statusCode = 0, headers } = response;
      resolve({ statusCode, headers, body: Buffer.concat(chunks) });
    });
    response.on('error', fail);
  });

  // One timer for both bounds, because most responses arrive before the first.
  let timer = setTimeout(() => {
    if (sent.socket?.connecting) return stop(timeout(`No connection in ${bounds.connection} ms`));
    timer = setTimeout(() => {
      stop(timeout(`No response in ${bounds.response} ms`));
    }, bounds.response - bounds.connection);
  }, bounds.connection);

  const abort = () => stop(aborted());
  function stop(error: Error) {
    fail(error);
    sent.destroy();
  }
  function fail(error: Error) {
    finish();
    reject(error);
  }
  function finish() {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
  sent.on('error', fail);
  signal?.addEventListener('abort', abort);
  sent.end(body);
  return promise;
}

/** The header by which X-Ray joins a call to its invocation. Lambda changes the variable with each. */
function traced() {
  const { AWS_LAMBDA_FUNCTION_NAME: name, _X_AMZN_TRACE_ID: id } = env.ofRuntime();
  return name && id ? { 'x-amzn-trace-id': id } : undefined;
}

const aborted = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' });
const timeout = (message: string) => Object.assign(new Error(message), { name: 'TimeoutError' });
