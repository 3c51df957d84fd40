import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { newUserRateLimit } from './change-rate-limit.ts';
import type { SessionItem } from './live-session.ts';

const count = newUserRateLimit('signInsOfOne', (subject, window) =>
  keys.rate('signInsOfOne', subject, window),
);

/**
 * Counts a session of a user before it starts, by what can be shown again at once: a password, an account at a provider,
 * a passkey, or the session of a browser. A mail or a code of an app is good once, and limited by itself. Call it after
 * the proof, so that no stranger uses up the sign-ins of a user; each method has its own, so that a thief of the password
 * leaves the others. Throws `too_many_requests`.
 */
export async function countSignIn(
  { uid, method, client_id }: Pick<SessionItem, 'uid' | 'method' | 'client_id'>,
  now: Date,
): Promise<void> {
  const by = client_id === undefined ? method : 'a client';
  await (currentRequest().changeCounted ??= count(`${uid} ${by}`, now));
}
