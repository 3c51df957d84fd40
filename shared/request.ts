import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from './events.ts';

/** What every part of one invocation shares. */
export type RequestContext = {
  readonly id: string;
  /** The one clock reading of the request. */
  readonly now: Date;
  /** Epoch milliseconds after which nothing is started any more. */
  readonly deadline: number;
  /** Fires at the deadline and ends calls under way. */
  readonly signal: AbortSignal;
  /** Who acts, once the credential is read; jobs set themselves. */
  actor?: Actor;
  /** Whom a request without a caller of its own turned out to be about; for the log. */
  subject?: { project_id: string; uid?: string; session_id?: string };
  /** Names the request however often it is sent; only one with an Idempotency-Key has such a name. */
  repeat_id?: string;
  /** Settles when the caller's session is known to live; no write is sent before. */
  confirmed: Promise<unknown>;
  /** What goes on beside the request's own work and cannot fail; no answer leaves before its end. */
  readonly after: Promise<unknown>[];
};

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` with at most `budget` milliseconds from now. */
export function inRequest<T>(id: string, budget: number, work: (context: RequestContext) => T): T {
  const now = new Date();
  const context: RequestContext = {
    id,
    now,
    deadline: now.getTime() + budget,
    signal: AbortSignal.timeout(Math.max(1, Math.ceil(budget))),
    confirmed: Promise.resolve(),
    after: [],
  };
  return storage.run(context, () => work(context));
}

/** The request under way. Throws outside of one: table access without a deadline is a mistake. */
export function currentRequest(): RequestContext {
  const context = storage.getStore();
  if (!context) throw new Error('There is no request under way.');
  return context;
}

/**
 * Thrown when a condition failed because what the request had read was out of date: another request came
 * between. The frame runs the handler again from its reads, so contention is never an error of the client.
 */
export class StaleRead extends Error {
  override readonly name: string = 'StaleRead';
}
