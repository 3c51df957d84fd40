import type { KeyObject } from 'node:crypto';
import { ApiError } from '../model/errors.ts';
import { deriveText } from '../model/hmac.ts';
import { equalInConstantTime } from '../model/ids.ts';

/** Content of a refresh token: the session, and the number of this token within it. */
export type RefreshClaims = { uid: string; session_id: string; counter: number };

const form = /^rt_([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{43})$/;
/** A session lives for 90 days and is renewed at most every 10 s: nine digits are enough for the counter. */
const contentForm =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (0|[1-9][0-9]{0,8})$/;

/** The refresh token of a session and counter: deterministic, so that a response can be repeated. */
export function makeRefreshToken(
  { uid, session_id, counter }: RefreshClaims,
  secret: KeyObject,
): string {
  const content = Buffer.from(`${uid} ${session_id} ${counter}`).toString('base64url');
  return `rt_${content}.${tagOf(content, secret)}`;
}

/**
 * Verifies a refresh token. Throws `unauthenticated` if the service did not issue it; a forged token must not revoke
 * anything.
 */
export function readRefreshToken(token: string, secret: KeyObject): RefreshClaims {
  const claims = tryReadRefreshToken(token, secret);
  if (claims) return claims;
  const detail = 'The refresh token is not valid';
  throw new ApiError('unauthenticated', { detail, reason: whyNoneOfOurs(token) });
}

/** For the log: after a change of the refresh secret every client sends a token of the first kind. */
export const whyNoneOfOurs = (token: string): string =>
  form.test(token) ? 'another refresh secret' : 'no refresh token';

/** The content of a refresh token; undefined if the service did not issue it. */
export function tryReadRefreshToken(token: string, secret: KeyObject): RefreshClaims | undefined {
  const [, content, tag] = form.exec(token) ?? [];
  if (!content || !tag) return undefined;
  if (!equalInConstantTime(tag, tagOf(content, secret))) return undefined;
  const [, uid, session_id, counter] =
    contentForm.exec(Buffer.from(content, 'base64url').toString('utf8')) ?? [];
  if (!uid || !session_id || !counter) return undefined;
  return { uid, session_id, counter: Number(counter) };
}

const tagOf = (content: string, secret: KeyObject): string => deriveText(`rt_${content}`, secret);
