import type { Caller } from '../access/caller.ts';
import { requireLiveSession } from '../access/live-session.ts';
import type { Route } from '../contract/route.ts';
import { Change, unchanged } from '../db/change.ts';
import { pause } from '../db/client.ts';
import { commit } from '../db/commit.ts';
import type { Item } from '../db/item.ts';
import { currentRequest, StaleReadError } from '../db/request-context.ts';
import type { Result, Run, Validated } from './exchange.ts';
import type { begin } from './idempotency.ts';
import { matching } from './precondition.ts';
import type { HttpResponse } from './problem.ts';
import { toResponse } from './response.ts';

/**
 * Runs a handler: the one place that wraps and repeats it, and the only one where a request writes what it is to do. The
 * caller's session is read together with the handler's first read; no answer leaves and no write is sent before it is
 * known to live. With an Idempotency-Key there is one change and one answer. A handler whose reads went stale runs again.
 */
export const execute =
  <R extends Route>(route: R, run: Run<R>) =>
  async (validated: Validated<R>): Promise<HttpResponse> => {
    const { input, preconditions, scope, attempts } = validated;
    const { params, query, body } = input;
    const { idempotencyKey, ifMatch } = preconditions;
    const asked = { operation: route.name, params, query, body, ifMatch };
    const begun =
      idempotencyKey === undefined ? undefined : await claim(idempotencyKey, input.caller, asked);
    if (begun && 'replay' in begun) return replayed(begun.replay);
    const respond = (result: unknown) => toResponse(route, result as Result<R>, scope);
    try {
      return await retryWhileStale(attempts, async () => {
        const expected: Item[] = [];
        const [session, ran] = await Promise.allSettled([
          verifySession(input),
          run({
            ...input,
            ...(ifMatch && route.ifMatch && { match: matching(ifMatch, route.ifMatch, expected) }),
            ...(begun && { requireRoom: (result) => begun.requireRoom(toText(respond(result))) }),
          }),
        ]);
        // A dead session is the answer whatever the handler found: its failures may tell things too.
        if (session.status === 'rejected') throw session.reason;
        if (ran.status === 'rejected') throw ran.reason;
        const change = ran.value instanceof Change ? ran.value : unchanged(ran.value);
        if (ifMatch && expected.length === 0 && Object.keys(change.writes).length > 0)
          throw new Error(`${route.name} has not compared what If-Match names.`);
        const answered = change.expecting(expected).as(respond);
        return await commit(answered, begun?.record(toText));
      });
    } catch (error) {
      // At worst the key is left behind, and good again after a moment.
      await begun?.release().catch(() => {});
      throw error;
    }
  };

const toText = (response: HttpResponse): string => JSON.stringify(response);

/** Begins a request with an Idempotency-Key. A chunk of its own, which no other request loads. */
async function claim(...[key, caller, asked]: Parameters<typeof begin>) {
  // What depends on it awaits it; until then a session that has ended must not end the process.
  verifySession({ caller, now: currentRequest().now })?.catch(() => {});
  return (await import('./idempotency.ts')).begin(key, caller, asked);
}

/** Reads the caller's session: whatever is sent at once awaits it. */
function verifySession({ caller, now }: { caller: Caller | undefined; now: Date }) {
  const verified = caller?.kind === 'person' ? requireLiveSession(caller, now) : undefined;
  currentRequest().sessionVerified = Promise.resolve(verified);
  return verified;
}

/** An answer as it was given before. */
function replayed(text: string): HttpResponse {
  const response = JSON.parse(text) as HttpResponse;
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}

/** Runs again and again while what was read is out of date, until the deadline. */
async function retryWhileStale<T>(attempts: { reruns: number }, run: () => Promise<T>): Promise<T> {
  const { deadline, signal } = currentRequest();
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StaleReadError)) throw error;
      await pause(Math.min(attempts.reruns, 4), deadline, signal, error);
      attempts.reruns += 1;
    }
  }
}
