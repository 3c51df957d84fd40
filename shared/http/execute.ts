import type { begin } from '../auth/exactly-once.ts';
import type { Caller } from '../auth/caller.ts';
import type { Route } from '../contract/route.ts';
import { currentRequest, type RequestContext, StaleRead } from '../request.ts';
import { pause } from '../table/client.ts';
import { beginRun } from '../table/effect.ts';
import { requireLiveSession } from '../table/sessions.ts';
import type { Run, Validated } from './exchange.ts';
import type { HttpResponse } from './problem.ts';
import { toResponse } from './response.ts';

/**
 * Runs a handler: the one place that wraps and repeats it. The caller's session is read together with the handler's
 * first read; no answer leaves and no write is sent before it is known to live. With an Idempotency-Key there is one
 * effect and one answer. A handler whose reads went stale runs again.
 */
export const execute =
  <R extends Route>(route: R, run: Run<R>) =>
  async (validated: Validated<R>): Promise<HttpResponse> => {
    const { input, preconditions, scope, attempts } = validated;
    const { params, query, body, now } = input;
    const caller: Caller | undefined = input.caller;
    const request = currentRequest();
    const confirm = () => {
      const confirmed = caller?.kind === 'person' ? requireLiveSession(caller, now) : undefined;
      request.confirmed = Promise.resolve(confirmed);
      return confirmed;
    };
    const { idempotencyKey, ifMatch } = preconditions;
    // What depends on it awaits it; until then a session that has ended must not end the process.
    if (idempotencyKey !== undefined) confirm()?.catch(() => {});
    const asked = { operation: route.name, params, query, body, ifMatch };
    const begun =
      idempotencyKey === undefined ? undefined : await claim(idempotencyKey, caller, asked);
    if (begun && 'replay' in begun) return replayed(begun.replay);
    type Result = Awaited<ReturnType<Run<R>>>;
    const responseOf = (result: unknown) => toResponse(route, result as Result, scope);
    try {
      return await settled(request, attempts, async () => {
        beginRun({
          waits: begun !== undefined,
          requireRoom: (result) => begun?.requireRoom(JSON.stringify(responseOf(result))),
        });
        const [session, ran] = await Promise.allSettled([confirm(), run(input)]);
        // A dead session is the answer whatever the handler found: its failures may tell things too.
        if (session.status === 'rejected') throw session.reason;
        if (ran.status === 'rejected') {
          begun?.abandon(ran.reason);
          throw ran.reason;
        }
        const response = responseOf(ran.value);
        await begun?.finish(JSON.stringify(response));
        return response;
      });
    } catch (error) {
      // At worst the key is left behind, and good again after a moment.
      await begun?.release().catch(() => {});
      throw error;
    }
  };

/** Begins a request with an Idempotency-Key. A chunk of its own, which no other request loads. */
const claim: typeof begin = async (...of) => (await import('../auth/exactly-once.ts')).begin(...of);

/** An answer as it was given before. */
function replayed(text: string): HttpResponse {
  const response = JSON.parse(text) as HttpResponse;
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}

/** Runs the handler, again and again while what it read is out of date, until the deadline. */
async function settled<T>(
  { deadline, signal }: RequestContext,
  attempts: { reruns: number },
  run: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
      await pause(Math.min(attempts.reruns, 4), deadline, signal, error);
      attempts.reruns += 1;
    }
  }
}
