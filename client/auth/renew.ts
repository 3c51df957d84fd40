import { isEnd } from '../api-error.ts';
import { bearer, type SessionClient } from '../client.ts';
import { keyOf, type Pair, pairOf } from '../token-pair.ts';

/** Makes what asks for the successor of a pair; the code of the refusal if the session has ended. */
export const renewing =
  (client: SessionClient) =>
  async (pair: Pair): Promise<Pair | string> => {
    const at = Date.now();
    try {
      const { body, headers } = await client.sessions.refresh(
        { accessToken: pair.access_token },
        {
          authorization: bearer(pair.refresh_token),
          idempotencyKey: keyOf(pair),
          // All tabs wait for this one.
          signal: AbortSignal.timeout(30_000),
        },
      );
      const next = pairOf(body, { ...pair, turn: pair.turn + 1 }, at);
      // An answer that was stored may be a day old.
      if (headers.has('idempotency-replayed'))
        next.at = Math.min(at, pair.at + next.iat - pair.iat);
      return next;
    } catch (error) {
      if (isEnd(error)) return error.code;
      throw error;
    }
  };
