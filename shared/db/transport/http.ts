import { channel } from 'node:diagnostics_channel';
import { env } from '../../model/env.ts';
import type { Connection } from './connection.ts';
import { connectionsTo } from './connections.ts';

export type Post = {
  to: URL;
  headers: Record<string, string>;
  body: string | Uint8Array;
};

export type HttpAnswer = { statusCode: number; headers: Record<string, string>; body: Buffer };

/** Milliseconds from the start until a connection is open, and until the response is read. */
export type Bounds = { connection: number; response: number };
const boundsOfTable: Bounds = { connection: 300, response: 500 };

/** A request that is about to be sent, for who watches them locally and in tests: headers may be added. */
export type Sending = Post & {
  /** Fails the request with this error, instead of sending it. */
  refusal?: Error;
  /** Settles once it has ended. One that is refused does not begin. */
  ended: Promise<unknown>;
};
export const sendings = channel('aws.request.created');

/**
 * POSTs a body to `/` and reads the whole response. Fails with `TimeoutError` when a bound is exceeded, with
 * `AbortError` when the signal aborts, with Node's error when the connection breaks, and with EPROTO for a response
 * that is no HTTP.
 *
 * It writes and reads HTTP/1.1 by itself, because Node's client takes three times the processor time, a sixth of a
 * whole request to the service. No more is asked of it than AWS's JSON protocol needs.
 *
 * @param headers with `host`
 */
export async function post(
  { to, body, ...input }: Post,
  signal: AbortSignal | undefined,
  bounds = boundsOfTable,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const headers = { ...input.headers, ...traced() };
  const refusal = signal?.aborted ? aborted(to) : refused({ to, headers, body, ended: promise });
  if (refusal) throw refusal;
  const head = headOf(headers, body);
  const connections = connectionsTo(to);
  let used: Connection | undefined;

  const begin = (connection: Connection) => {
    used = connection;
    connection.send({ head, body, done, failed });
  };
  function done(response: HttpAnswer) {
    finish();
    resolve(response);
  }
  function failed(error: Error) {
    finish();
    reject(error);
  }
  function stop(error: Error) {
    failed(error);
    connections.leave(begin);
    used?.end(error);
  }

  // One timer for both bounds, because most responses arrive before the first.
  let timer: NodeJS.Timeout;
  let arrivals: NodeJS.Immediate;
  /**
   * Judges after so many milliseconds, and after what arrived meanwhile: a process that was busy has not read it yet.
   */
  function after(milliseconds: number, judge: () => void) {
    timer = setTimeout(() => {
      arrivals = setImmediate(judge);
    }, milliseconds);
  }
  after(bounds.connection, () => {
    if (used?.isConnecting) return stop(timeout(`No connection in ${bounds.connection} ms`));
    after(bounds.response - bounds.connection, () => {
      stop(timeout(`No response in ${bounds.response} ms`));
      connections.endIdle();
    });
  });
  const abort = () => {
    stop(aborted(to));
  };
  function finish() {
    clearTimeout(timer);
    clearImmediate(arrivals);
    signal?.removeEventListener('abort', abort);
  }
  signal?.addEventListener('abort', abort);
  connections.take(begin);
  return promise;
}

/** The request line and the headers. Throws for a value that would end its header and begin another. */
function headOf(headers: Record<string, string>, body: Post['body']): string {
  let head = 'POST / HTTP/1.1\r\n';
  for (const name in headers) {
    const value = headers[name] as string;
    if (/[\r\n]/.test(value)) throw new TypeError(`The header ${name} has more than one line.`);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
}

/** The header by which X-Ray joins a call to its invocation. Lambda changes the variable with each. */
function traced() {
  const { AWS_LAMBDA_FUNCTION_NAME: name, _X_AMZN_TRACE_ID: id } = env.ofRuntime();
  return name && id ? { 'x-amzn-trace-id': id } : undefined;
}

/** Shows a request to those who watch, if any do; returns the error of who refuses it. */
function refused(sending: Sending): Error | undefined {
  if (!sendings.hasSubscribers) return undefined;
  sendings.publish(sending);
  return sending.refusal;
}

/** The host tells which service of AWS was too slow. */
const aborted = ({ host }: URL) =>
  Object.assign(new Error(`Request to ${host} aborted`), { name: 'AbortError' });
const timeout = (message: string) => Object.assign(new Error(message), { name: 'TimeoutError' });
