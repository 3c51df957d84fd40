import { isLiveSession, type SessionItem } from '../access/live-session.ts';
import { countSignIn } from '../access/sign-in-rate-limit.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, create, update, type Write } from '../db/change.ts';
import { commit } from '../db/commit.ts';
import { where } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { currentRequest, StaleReadError } from '../db/request-context.ts';
import { endSession, newSession, sessionExists } from '../identity/sessions/sessions.ts';
import { startSession } from '../identity/sessions/start-session.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { KnownClient } from './client-authentication.ts';
import { matchesChallenge } from './pkce.ts';

/**
 * An authorization code (RFC 6749, section 4.1.2), stored under its digest and bound to everything that the request
 * had: it is worth nothing to another client, at another redirect URI, without the verifier, or once the person has
 * signed out.
 */
export type CodeItem = Item &
  Pick<AuthorizationRequest, 'redirect_uri' | 'scope' | 'code_challenge'> & {
    project_id: string;
    client_id: string;
    /** Which client of that id: when it was created. Absent in a code of an earlier release. */
    client_created_at?: string;
    nonce?: string;
    uid: string;
    /** The session with the hosted pages, which must be live when the code is redeemed. */
    browser_session_id: string;
    created_at: string;
    /** The session that its redemption started. */
    session_id?: string;
    /** Epoch seconds until which it can be redeemed, and from then on until which a second use is recognised. */
    expires_at: number;
  };

/** Creates the code of a request that the person of a live browser session made. */
export const storeCode = (
  code: string,
  request: AuthorizationRequest,
  { project_id, uid, session_id }: SessionItem,
  now: Date,
): Write<CodeItem> =>
  create<CodeItem>({
    ...keys.authorizationCode(code),
    project_id,
    client_id: request.client.client_id,
    client_created_at: request.client.created_at,
    redirect_uri: request.redirect_uri,
    scope: request.scope,
    code_challenge: request.code_challenge,
    ...(request.nonce !== undefined && { nonce: request.nonce }),
    uid,
    browser_session_id: session_id,
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + lifetimes.authorizationCode,
  });

/** What a client presents to redeem a code. */
export type Redemption = { code: string; redirect_uri: string; code_verifier: string };

/**
 * The code that a client may redeem, and the client: read anew where this instance knew another of its id. A second use
 * means that two parties have the code, one of them a thief, so it ends the session that the first use started. Throws
 * `invalid_grant`.
 */
export async function requireCode(
  { code, redirect_uri, code_verifier }: Redemption,
  knownClient: KnownClient,
  now: Date,
): Promise<{ item: CodeItem; of: KnownClient }> {
  const item = await getItem<CodeItem>(keys.authorizationCode(code));
  // Another client that presents the code does not use it up: its own client may still redeem it.
  if (!item || item.client_id !== knownClient.client.client_id)
    throw refused('no such code of the client');
  // Whose tokens were stolen may have been created again under its id, and then with a secret.
  const of = isOf(item, knownClient) ? knownClient : await knownClient.latest();
  if (!of || !isOf(item, of)) throw refused('the client was deleted, and created again');
  if (item.redirect_uri !== redirect_uri) throw refused('another redirect_uri than before');
  if (!matchesChallenge(code_verifier, item.code_challenge))
    throw refused('the code_verifier is not that of the code_challenge');
  // Only with the verifier: a code read in a log or a history must not end a session.
  if (item.session_id !== undefined) {
    await endStarted(item.project_id, item.uid, item.session_id);
    throw refused('the code was used before');
  }
  if (item.expires_at <= epochSeconds(now)) throw refused('the code has expired');
  return { item, of };
}

const isOf = ({ client_created_at }: CodeItem, { client: { created_at } }: KnownClient): boolean =>
  (client_created_at ?? created_at) === created_at;

const refused = (reason: string) => new ApiError('invalid_grant', { reason });

/** Written although the request is refused. */
async function endStarted(project_id: string, uid: string, session_id: string): Promise<void> {
  currentRequest().subject = { project_id, uid, session_id };
  try {
    await commit(endSession({ uid, session_id }));
  } catch (error) {
    // The user was deleted meanwhile, with every session.
    if (!(error instanceof StaleReadError)) throw error;
  }
}

/**
 * Redeems a code: starts a session of the client, in one transaction with the mark on the code and the check that the
 * person has not signed out of the browser session. Of two requests at once the second finds the code used. Throws
 * `invalid_grant`.
 */
export async function redeemCode(
  item: CodeItem,
  { client, confidential }: KnownClient,
  now: Date,
): Promise<Change<SessionItem>> {
  const { project_id, uid, browser_session_id, scope, client_created_at } = item;
  const browser = await getItem<SessionItem>(keys.session(uid, browser_session_id));
  if (!browser || browser.project_id !== project_id || !isLiveSession(browser, now))
    throw refused('the person has signed out');
  const { method, second_factor, user_agent, address, device } = browser;
  const origin = {
    method,
    ...(user_agent !== undefined && { user_agent }),
    ...(address !== undefined && { address }),
  };
  const authenticated_at = browser.authenticated_at ?? browser.created_at;
  const session: SessionItem = {
    ...newSession(project_id, uid, origin, now),
    client_id: client.client_id,
    ...(client_created_at !== undefined && { client_created_at }),
    ...(confidential && { confidential: true as const }),
    scope,
    ...(second_factor && { second_factor }),
    ...(device !== undefined && { device }),
    authenticated_at,
    first_authenticated_at: authenticated_at,
  };
  await countSignIn(session, now);
  const { pk, sk } = item;
  return startSession(session, {
    writes: {
      code: update<CodeItem>(
        { pk, sk },
        {
          set: {
            session_id: session.session_id,
            expires_at: epochSeconds(now) + lifetimes.redeemedCode,
          },
        },
        where('attribute_exists(#pk) AND attribute_not_exists(#session_id)'),
      ),
      browser: sessionExists(uid, browser_session_id),
    },
  })
    .ifRefused((failure) =>
      failure.code === 'not_found' || failure.code === 'user_disabled'
        ? refused('the user is gone or disabled')
        : failure,
    )
    .as(() => session);
}
