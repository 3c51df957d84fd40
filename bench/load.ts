import { Agent, request as send } from 'node:http';

export type Call = {
  method: string;
  path: string;
  authorization?: string;
  idempotencyKey?: string;
  body?: unknown;
};

/**
 * Makes the next request of a connection; undefined when there is no more. It is given the answer to the one before,
 * also to the last one of a window, whose next request is then not sent.
 */
export type Source = (connection: number, last: unknown) => Call | undefined;

export type Load = { requests: number; seconds: number };

/** Requests under way at a time, each on a connection of its own. */
export const connections = 16;

/** No window sends more requests, whatever its time. */
const mostRequests = 20_000;

/**
 * Sends requests from 16 connections for some time, each as soon as the one before is answered.
 * Throws at the first answer that is no success.
 */
export async function drive(url: string, source: Source, milliseconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  let requests = 0;
  const run = async (connection: number) => {
    let last: unknown;
    for (;;) {
      const call = source(connection, last);
      const over = performance.now() - began > milliseconds || requests >= mostRequests;
      if (!call || over) return;
      requests += 1;
      last = await exchange(url, call, agent);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, i) => run(i)));
  } finally {
    agent.destroy();
  }
  return { requests, seconds: (performance.now() - began) / 1_000 };
}

/** Sends one request and returns its parsed answer. Throws unless it is a success. */
export async function exchange(url: string, call: Call, agent?: Agent): Promise<unknown> {
  const { status, text } = await ask(url, call, agent);
  if (status < 300) return JSON.parse(text);
  throw new Error(`${call.method} ${call.path}: ${status} ${text}`);
}

/** Sends one request and returns its answer, whatever it is. */
export async function ask(
  url: string,
  { method, path, authorization, idempotencyKey, body }: Call,
  agent?: Agent,
): Promise<{ status: number; text: string }> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const request = send(`${url}${path}`, {
    method,
    ...(agent && { agent }),
    timeout: 10_000,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(sent !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(sent),
      }),
    },
  });
  request.on('timeout', () => request.destroy(new Error('No answer within 10 s')));
  request.on('error', reject);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 500,
        text: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  request.end(sent);
  return promise;
}
