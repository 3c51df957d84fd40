import { epochSeconds } from '../db/item.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import type { SessionItem } from './live-session.ts';

/** When the person of a session signed in, or proved again who they are, in epoch seconds. */
export const signedInAt = ({
  created_at,
  authenticated_at = created_at,
}: Pick<SessionItem, 'created_at' | 'authenticated_at'>): number =>
  epochSeconds(new Date(authenticated_at));

/**
 * Throws `reauthentication_required` (RFC 9470) unless the person of a session has signed in within the last ten
 * minutes: a thief must not get a way to sign in that outlives it.
 */
export function requireRecentSignIn(session: SessionItem, now: Date): void {
  const max_age = lifetimes.recentSignIn;
  if (epochSeconds(now) - signedInAt(session) < max_age) return;
  throw new ApiError('reauthentication_required', {
    headers: {
      'www-authenticate': `Bearer realm="user", error="insufficient_user_authentication", max_age="${max_age}"`,
    },
  });
}
