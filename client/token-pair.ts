import { claimsIn } from './claims.ts';
import type { Client } from './client.ts';

type Body = Awaited<ReturnType<Client['passwords']['signIn']>>['body'];

/** The two tokens of a session, with what is kept beside them. */
export type Pair = Pick<Body, 'access_token' | 'refresh_token' | 'uid' | 'user'> & {
  /** Random: it names the session among tabs, and nobody else can guess the Idempotency-Keys of its refreshes. */
  id: string;
  /** The time of the sign-in by the clock of the device, in milliseconds: of two sessions the later one counts. */
  since: number;
  /** How many times the session has been refreshed: of two pairs of a session the later one counts. */
  turn: number;
  /** When the tokens were asked for by the clock of the device, and issued by that of the service; milliseconds. */
  at: number;
  iat: number;
  /** Milliseconds from the issue of the access token to its expiry. */
  life: number;
};

/** The pair of an answer. The clocks of the device and the service are never compared: either may be wrong. */
export function pairOf(
  { access_token, refresh_token, uid, user }: Body,
  { id, since, turn }: Pick<Pair, 'id' | 'since' | 'turn'>,
  at: number,
): Pair {
  const { exp, iat } = claimsIn(access_token);
  return {
    access_token,
    refresh_token,
    uid,
    user,
    id,
    since,
    turn,
    at,
    iat: iat * 1_000,
    life: (exp - iat) * 1_000,
  };
}

/** Names a pair; as Idempotency-Key of its refresh it gets every tab the same successor, for 24 hours. */
export const keyOf = ({ id, turn }: Pair): string => `${id}-${turn}`;

/** Reads a stored pair; undefined for anything else. */
export function parse(text: string | null): Pair | undefined {
  try {
    const pair = JSON.parse(text ?? '') as Pair | null;
    return pair?.id ? pair : undefined;
  } catch {
    return undefined;
  }
}
