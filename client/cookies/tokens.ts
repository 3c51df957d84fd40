import { isEnd, isStale } from '../api-error.ts';
import { claimsIn } from '../claims.ts';
import { bearer } from '../client.ts';
import type { User } from '../generated/api.ts';
import type { HandlerClient } from './handler-client.ts';
import { refreshKeyOf, type Tokens } from './jar.ts';

/** Seconds: an access token that is good for less is renewed before a page gets it. */
const reserve = 30;

/** The tokens of a session, and its user if the service has just returned it. */
export type CookieTokens = Tokens & { user?: User };

/** What the access token says of itself. It comes from the cookie, so the service alone judges whether it is true. */
export function claimsOf({ access_token }: Tokens) {
  try {
    const { sub, sid, exp }: Record<string, unknown> = claimsIn(access_token);
    const expires_in = Math.floor(Number(exp) - Date.now() / 1_000) || 0;
    return { uid: String(sub), sid, expires_in };
  } catch {
    return { uid: '', sid: '', expires_in: 0 };
  }
}

export const isFresh = (tokens: Tokens): boolean => claimsOf(tokens).expires_in >= reserve;

/**
 * Asks the service for the successor of these tokens. `isStored`: the answer may be a day old, and its token expired.
 * @throws ApiError with 401 if the session has ended
 */
async function renewOnce(client: HandlerClient, tokens: Tokens, signal?: AbortSignal) {
  const authorization = bearer(tokens.refresh_token);
  const { body, headers } = await client.sessions.refresh(
    { accessToken: tokens.access_token },
    { authorization, idempotencyKey: await refreshKeyOf(tokens), signal },
  );
  const { access_token, refresh_token, user } = body;
  const isStored = headers.has('idempotency-replayed');
  return { next: { access_token, refresh_token, user }, isStored };
}

/**
 * Renews the tokens until they are fresh. A stored answer leads on to the next one and counts as no try: the service
 * stores none for more than a day.
 * @param keep gets each successor at once: the cookie must hold the newest, also if the next step fails.
 * @throws ApiError with 401 if the session has ended
 */
export async function renew(
  client: HandlerClient,
  tokens: Tokens,
  keep: (tokens: Tokens) => void,
  signal?: AbortSignal,
): Promise<CookieTokens> {
  let current: CookieTokens = tokens;
  for (let tries = 3; tries > 0; ) {
    const { next, isStored } = await renewOnce(client, current, signal);
    current = next;
    keep(current);
    if (isFresh(current)) break;
    if (!isStored) tries -= 1;
  }
  return current;
}

/**
 * Ends the session at the service, and all others of the user with `everywhere`, whether or not the access token has
 * expired.
 * @throws ApiError with 401 if it has ended already, so that the others could not be ended
 */
export async function endSession(
  client: HandlerClient,
  tokens: Tokens,
  everywhere: boolean,
): Promise<void> {
  let current = tokens;
  for (let tries = 1; ; tries -= 1) {
    const authorization = bearer(current.access_token);
    try {
      if (everywhere) await client.sessions.endAll({}, { authorization });
      await client.sessions.signOut({}, { authorization });
      return;
    } catch (error) {
      if (!isStale(error) || tries === 0) throw error;
    }
    try {
      current = await renew(client, current, () => {});
    } catch (error) {
      if (!everywhere && isEnd(error)) return;
      throw error;
    }
  }
}
