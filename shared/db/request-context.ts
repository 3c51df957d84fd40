import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../model/events.ts';
import type { Item } from './item.ts';
import type { Key } from './schema.ts';

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
  /** The user that a request without a caller of its own turned out to concern. Logged. */
  subject?: { project_id: string; uid?: string; session_id?: string };
  /** Names the request however often it is sent; only one with an Idempotency-Key has such a name. */
  idempotencyId?: string;
  /** Settles when the caller's session is known to live; no write is sent before. */
  sessionVerified: Promise<unknown>;
  /** What goes on beside the request's own work and cannot fail; no answer leaves before its end. */
  readonly backgroundWork: Promise<unknown>[];
  /** The reads that the next BatchGetItem takes along (batch-loader.ts). */
  reads?: BatchLoader | undefined;
  /** What the request has counted: one that runs again, because what it read was stale, is still one (rate-limits.ts). */
  readonly counts: Map<string, Count>;
};

type BatchLoader = { load<T extends Item>(key: Key): Promise<T | undefined> };
type Count = { counting: Promise<Item>; refunded: boolean };

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` with at most `budget` milliseconds from now. */
export function runInRequest<T>(
  id: string,
  budget: number,
  work: (context: RequestContext) => T,
): T {
  const now = new Date();
  const context: RequestContext = {
    id,
    now,
    deadline: now.getTime() + budget,
    signal: AbortSignal.timeout(Math.max(1, Math.ceil(budget))),
    sessionVerified: Promise.resolve(),
    backgroundWork: [],
    counts: new Map(),
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
export class StaleReadError extends Error {
  override readonly name: string = 'StaleRead';
}
