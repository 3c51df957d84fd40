import type { KeyObject } from 'node:crypto';
import { isLiveSession, type SessionItem } from '../../access/live-session.ts';
import { signedInAt } from '../../access/recent-sign-in.ts';
import {
  makeRefreshToken,
  type RefreshClaims,
  tryReadRefreshToken,
} from '../../access/refresh-token.ts';
import {
  clearSessionCookie,
  keepSessionCookie,
  readSessionCookie,
} from '../../access/session-cookie.ts';
import { getSigningKeys } from '../../access/signing-keys.ts';
import { getItem } from '../../db/batch-loader.ts';
import { type Change, change, update, type Write } from '../../db/change.ts';
import { epochSeconds } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { currentRequest } from '../../db/request-context.ts';
import { errorCodes } from '../../model/error-codes.ts';
import { ApiError } from '../../model/errors.ts';
import { lifetimes } from '../../model/limits.ts';
import { ofBrowsers } from './renewable.ts';
import { isGraced } from './rotate-session.ts';
import { endSession, unrevoked } from './sessions.ts';

/**
 * The live session of a browser with the hosted pages of a project, from the cookies of its request. It is neither
 * renewed nor extended, so several requests at once may ask. Undefined without a cookie that is good for it.
 */
export async function findBrowserSession(
  cookies: readonly string[],
  project_id: string,
  now: Date,
): Promise<SessionItem | undefined> {
  const token = readSessionCookie(cookies, project_id);
  const claims = token && tryReadRefreshToken(token, (await getSigningKeys()).refreshSecret);
  return claims ? findSession(claims, project_id, now) : undefined;
}

/** The live session of a refresh token that is the current one, or that before it within its grace. */
export async function findSession(
  { uid, session_id, counter }: RefreshClaims,
  project_id: string,
  now: Date,
): Promise<SessionItem | undefined> {
  const session = await getItem<SessionItem>(keys.session(uid, session_id));
  if (!session || session.project_id !== project_id || !ofBrowsers.includes(session))
    return undefined;
  const isCurrent = session.counter === counter || isGraced(session, counter, now);
  if (!isCurrent || !isLiveSession(session, now)) return undefined;
  currentRequest().subject = { project_id, uid, session_id };
  return session;
}

/**
 * The live session of a browser that a refresh token was issued for, be it an outdated one: to end it. The holder of
 * such a token could as well end the session by renewing it.
 */
export async function findEndable(
  token: string,
  project_id: string,
  now: Date,
): Promise<SessionItem | undefined> {
  const claims = tryReadRefreshToken(token, (await getSigningKeys()).refreshSecret);
  const session =
    claims && (await getItem<SessionItem>(keys.session(claims.uid, claims.session_id)));
  const isOwn = session?.project_id === project_id && ofBrowsers.includes(session);
  return isOwn && isLiveSession(session, now) ? session : undefined;
}

/**
 * Notes that a browser keeps a session, and ends the one that it has had until now, also one of another user: its
 * cookie, which is replaced, proves it. The event of the end names the user of the ended session as the actor.
 */
export function takeOver(
  kept: SessionItem,
  replaced: SessionItem | undefined,
  now: Date,
): Change<void> {
  const noted = noteOfLate(kept, now);
  if (!replaced || replaced.session_id === kept.session_id) return change({ noted }, undefined);
  const { project_id, uid } = replaced;
  currentRequest().subject = { project_id, uid };
  const ending = endSession(replaced);
  return noted ? change({ ...ending.parts.writes, noted }, undefined) : ending;
}

/**
 * The time at which a browser keeps a session, where its person stored recovery codes between the sign-in and this.
 * Then the minute for a program begins here: once, and not for a sign-in of long ago.
 */
function noteOfLate(session: SessionItem, now: Date): Write | undefined {
  const { uid, session_id, kept_at } = session;
  const age = epochSeconds(now) - signedInAt(session);
  const { signInForProgram, recentSignIn } = lifetimes;
  if (kept_at !== undefined || age < signInForProgram / 2 || age > recentSignIn) return undefined;
  return update(keys.session(uid, session_id), { set: { kept_at: now.toISOString() } }, unrevoked);
}

/**
 * The cookie with the current refresh token of a session, and the seconds until its end. Always the current one: after
 * a lost response a token before it may be presented again, which must not replace the newer one in the browser.
 */
export function cookieOf(session: SessionItem, refreshSecret: KeyObject, now: Date) {
  const maxAge = session.expires_at - epochSeconds(now);
  const token = makeRefreshToken(session, refreshSecret);
  return { cookie: keepSessionCookie(session.project_id, token, maxAge), maxAge };
}

/** The same failure; if the session is over, the browser also loses a cookie that is good for nothing any more. */
export function clearingCookie(failure: ApiError, project_id: string): ApiError {
  const { code, detail, reason } = failure;
  if (errorCodes[code].status !== 401) return failure;
  return new ApiError(code, { detail, reason, cookies: [clearSessionCookie(project_id)] });
}
