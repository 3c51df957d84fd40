import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../model/events.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** State that all parts of one invocation share. */
export type RequestContext = {
  readonly id: string;
  /** The only clock reading of the request. */
  readonly now: Date;
  /** Epoch milliseconds after which no work is started. */
  readonly deadline: number;
  /** Aborts calls in flight at the deadline. */
  readonly signal: AbortSignal;
  /** The actor, once the credential is verified; jobs set themselves as the actor. */
  actor?: Actor;
  /** The project that a request names, valid or not, and the user that it turned out to concern. Logged. */
  subject?: { project_id: string; uid?: string; session_id?: string };
  /** An exception that the request went on after. Logged as an error. */
  survived?: unknown;
  /**
   * The header of that name (RFC 9110), unless a backend sent it: mails that the caller asks for are in this language.
   */
  acceptLanguage?: string | undefined;
  /** Identifies all retries of a request; only requests with an Idempotency-Key have it. */
  idempotencyId?: string;
  /** Settles when the caller's session is known to be live, and a change by it counted; no write is sent before. */
  sessionVerified: Promise<unknown>;
  /** Settles when the change or sign-in of a user is counted, once, however often its handler is rerun. */
  changeCounted?: Promise<void>;
  /** Settles when the captcha is verified, which a request has done once, however often its handler is rerun. */
  captchaVerified?: Promise<void>;
  /** Work beside the request's own that cannot fail. The response is not sent before it ends. */
  readonly backgroundWork: Promise<unknown>[];
  /** The reads collected for the next BatchGetItem (batch-loader.ts). */
  reads?: BatchLoader | undefined;
  /** How often the handler was rerun because its reads were stale. Logged. */
  reruns: number;
  /** Rate limit uses counted by the request: a rerun after stale reads is still one request (rate-limits.ts). */
  readonly counts: Map<string, Count>;
};

type BatchLoader = <T extends Item>(key: Key) => Promise<T | undefined>;
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
    reruns: 0,
    counts: new Map(),
  };
  return storage.run(context, () => work(context));
}

/** Runs a part of the request that what verifies the session waits for: its writes do not wait for that. */
export const runToVerify = <T>(work: () => T): T =>
  storage.run({ ...currentRequest(), sessionVerified: Promise.resolve() }, work);

/** Runs a part of the request until this many milliseconds after its begin. Returns false if that time ran out. */
export async function runUntil(budget: number, work: () => Promise<void>): Promise<boolean> {
  const { id, now, deadline } = currentRequest();
  const end = Math.min(now.getTime() + budget, deadline);
  try {
    await runInRequest(id, end - Date.now(), work);
    return true;
  } catch (error) {
    if (Date.now() < end) throw error;
    return false;
  }
}

/** The current request. Throws outside of one, because table access without a deadline is a bug. */
export function currentRequest(): RequestContext {
  const context = storage.getStore();
  if (!context) throw new Error('There is no current request.');
  return context;
}

/**
 * Thrown when a condition failed because the request's reads were stale: another request changed an item in between.
 * The handler is rerun from its reads, so contention is never an error of the client.
 */
export class StaleReadError extends Error {
  override readonly name: string = 'StaleRead';
}
