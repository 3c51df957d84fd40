import { expect, vi } from 'vitest';
import { sessionPrefix } from '#shared/db/key-prefixes.ts';
import { type Key, keys } from '#shared/db/keys.ts';
import type { SessionInfo, User } from '#shared/model/user-resources.ts';
import { claimsOf } from '../model/tokens.ts';
import { aTime } from './expectations.ts';

/** The complete response of every sign-in: the user, and whether it created them. */
export const aSession = (user: User, user_created = false) => ({
  access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: expect.stringMatching(/^rt_[\w-]+\.[\w-]{43}$/),
  uid: user.uid,
  user: { ...user, last_sign_in_at: aTime() },
  user_created,
  device_token: expect.stringMatching(new RegExp(`^dt_${user.uid}_[\\w-]{14}\\.[\\w-]{43}$`)),
});

/** A session as listed to its user, right after it started on this machine. */
export const aListedSession = (given: Partial<SessionInfo>): SessionInfo => ({
  session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  method: 'idpw',
  created_at: aTime(),
  last_refreshed_at: aTime(),
  user_agent: expect.any(String),
  address: '127.0.0.0/24',
  current: false,
  ...given,
});

/** The key of the session item of an access token. */
export function sessionKey({ access_token }: { access_token: string }): Key {
  const { sub, sid } = claimsOf(access_token);
  return keys.session(sub, sid);
}

/** The id of the session of an access token. */
export const sessionIdOf = (tokens: { access_token: string }): string =>
  sessionKey(tokens).sk.slice(sessionPrefix.length);

/** Advances the clock of the service, which runs in this process, and stops it there. */
export function pass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}

/** Sets the clock to this many seconds into the next rate-limit window, so that no window ends during a test. */
export function atWindow(window: number, into: number): void {
  const length = window * 1_000;
  const start = Math.ceil(Date.now() / length) * length;
  vi.useFakeTimers({ toFake: ['Date'], now: start + into * 1_000 });
}
