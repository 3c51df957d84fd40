import { randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { basic } from '../client/client.ts';
import type { Project } from './service-process.ts';

export type Call = {
  method: string;
  path: string;
  authorization?: string | undefined;
  idempotencyKey?: string;
  body?: unknown;
};
export type Answer = { status: number; text: string };

/** Fields of a response. Fields that are read are compared or sent immediately, so a missing field is noticed. */
export type Fields = Record<string, string> & { result: Record<string, string>[] };

/** Sends one request and returns its response, whatever its status. */
export async function ask(url: string, call: Call, agent?: Agent): Promise<Answer> {
  const { method, path, authorization, idempotencyKey } = call;
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  const request = send(`${url}${path}`, {
    method,
    ...(agent && { agent }),
    timeout: 10_000,
    headers,
  });
  request.on('timeout', () => request.destroy(new Error('No response within 10 s')));
  request.on('error', reject);
  request.on('response', (response) => {
    const { statusCode: status = 500 } = response;
    text(response).then((answer) => resolve({ status, text: answer }), reject);
  });
  request.end(body);
  return promise;
}

/**
 * Sends one request; throws unless the response has the expected status, by default 201 for a POST and 200 for others.
 */
export type Api = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  status?: number,
) => Promise<Fields>;

/** The API called with this credential. Changes with a credential have an `Idempotency-Key`. */
export function apiOf(by: (call: Call) => Promise<Answer>, authorization?: string): Api {
  return async (method, path, body, status = method === 'POST' ? 201 : 200) => {
    const keyed = method !== 'GET' && authorization !== undefined;
    const idempotencyKey = keyed ? { idempotencyKey: randomUUID() } : {};
    const answer = await by({ method, path, authorization, body, ...idempotencyKey });
    if (answer.status === status) return JSON.parse(answer.text) as Fields;
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  };
}

/** The API called by the backend of a project. */
export const backendOf = (service: Project & { url: string }): Api =>
  apiOf((call) => ask(service.url, call), basic(service.project_id, service.secret));

/** Runs eight at a time, in order. */
export async function inBatches<T, R>(
  all: readonly T[],
  work: (each: T, i: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < all.length; i += 8)
    done.push(...(await Promise.all(all.slice(i, i + 8).map((each, j) => work(each, i + j)))));
  return done;
}

/**
 * Creates the next request of a connection; undefined when there is none. It gets the previous response, also after the
 * last request of a window, whose next request is then not sent.
 */
export type Source = (connection: number, last: Fields | undefined) => Call | undefined;

/** Concurrent requests, each on its own connection. */
export const connections = 16;
/** Maximum requests of one window, whatever its time. */
const maxRequests = 20_000;

/**
 * Sends requests over 16 connections for some time, each as soon as the previous one is answered. Throws at the first
 * response that is not a success.
 */
export async function drive(url: string, source: Source, milliseconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  let requests = 0;
  const run = async (_: unknown, connection: number) => {
    let last: Fields | undefined;
    for (;;) {
      const call = source(connection, last);
      const over = performance.now() - began > milliseconds || requests >= maxRequests;
      if (!call || over) return;
      requests += 1;
      const answer = await ask(url, call, agent);
      if (answer.status >= 300) throw new Error(`${call.path}: ${answer.status} ${answer.text}`);
      last = JSON.parse(answer.text) as Fields;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, run));
  } finally {
    agent.destroy();
  }
  return { requests, seconds: (performance.now() - began) / 1_000 };
}
