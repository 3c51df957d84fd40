import type { Caller, PersonCaller } from '../access/caller.ts';
import { countChange } from '../access/change-rate-limit.ts';
import { requireLiveSession } from '../access/live-session.ts';
import { requireRecentSignIn } from '../access/recent-sign-in.ts';
import { isCountedChange, type Route } from '../contract/route.ts';
import { Change, noChange } from '../db/change.ts';
import { commit } from '../db/commit.ts';
import type { Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { retryWhileStale } from '../db/retry-stale.ts';
import type { Result, Run, Validated } from './exchange.ts';
import type { begin } from './idempotency.ts';
import { matching } from './precondition.ts';
import type { HttpResponse } from './problem.ts';
import { toResponse } from './response.ts';

/**
 * Runs a handler, retries it and commits its change. A handler itself commits only what must stay even if the request
 * is refused, and work that needs several transactions. The caller's session is read together with the handler's first
 * read, and no response or write is sent before the session is verified. With an Idempotency-Key, change and response
 * are recorded once. A handler whose reads became stale runs again.
 */
export const execute =
  <R extends Route>(route: R, run: Run<R>) =>
  async (validated: Validated<R>): Promise<HttpResponse> => {
    const { input, preconditions, cursorScope } = validated;
    const { params, query, body } = input;
    const { idempotencyKey, ifMatch, ifNoneMatch } = preconditions;
    const content = { operation: route.name, params, query, body, ifMatch };
    const begun =
      idempotencyKey === undefined
        ? undefined
        : await beginWithKey(route, idempotencyKey, input.caller, content);
    if (begun && 'replay' in begun) return replayed(begun.replay);
    const respond = (result: unknown) =>
      toResponse(route, result as Result<R>, { cursorScope, ifNoneMatch });
    const runOnce = async () => {
      const expected: Item[] = [];
      const [session, ran] = await Promise.allSettled([
        verifySession(route, input.caller),
        run({
          ...input,
          ...(ifMatch && route.ifMatch && { match: matching(ifMatch, route.ifMatch, expected) }),
          ...(begun && {
            requireAnswerRoom: (result) => begun.requireAnswerRoom(toText(respond(result))),
          }),
        }),
      ]);
      // An ended session takes precedence over the handler's error, which could reveal data.
      if (session.status === 'rejected') throw session.reason;
      if (ran.status === 'rejected') throw ran.reason;
      const change = ran.value instanceof Change ? ran.value : noChange(ran.value);
      if (ifMatch && expected.length === 0 && Object.keys(change.parts.writes).length > 0)
        throw new Error(`${route.name} has not compared what If-Match names.`);
      const answered = change.expecting(expected).as(respond);
      return await commit(answered, begun?.record(toText));
    };
    try {
      return await retryWhileStale(runOnce, () => {
        currentRequest().reruns += 1;
      });
    } catch (error) {
      // If this fails, the claim expires by itself after a few seconds.
      await begun?.release().catch(() => {});
      throw error;
    }
  };

const toText = (response: HttpResponse): string => JSON.stringify(response);

/** Starts a request with an Idempotency-Key. Loaded as a separate chunk, so that other requests do not load it. */
async function beginWithKey(route: Route, ...[key, caller, content]: Parameters<typeof begin>) {
  // Its users await the result; until then, the rejection for an ended session must not end the process.
  verifySession(route, caller)?.catch(() => {});
  return (await import('./idempotency.ts')).begin(key, caller, content);
}

/** Reads the caller's session. Writes that are sent immediately wait for it. */
function verifySession(route: Route, caller: Caller | undefined) {
  const request = currentRequest();
  const hasSession = caller?.kind === 'person' && !caller.key;
  const verified = hasSession ? requireSessionFor(route, caller, request.now) : undefined;
  request.sessionVerified = Promise.resolve(verified);
  return verified;
}

/**
 * Throws `unauthenticated`, `reauthentication_required` where route and project ask for a recent sign-in, or
 * `too_many_requests`. A change is counted only after that: who has the token of an ended session uses up nothing.
 */
async function requireSessionFor(route: Route, caller: PersonCaller, now: Date): Promise<void> {
  const session = await requireLiveSession(caller, now);
  if (route.recentSignIn && caller.project.recent_sign_in) requireRecentSignIn(session, now);
  if (isCountedChange(route))
    await (currentRequest().changeCounted ??= countChange(caller.uid, now));
}

/** The stored response of an earlier request with the same key. */
function replayed(text: string): HttpResponse {
  const response = JSON.parse(text) as HttpResponse;
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}
