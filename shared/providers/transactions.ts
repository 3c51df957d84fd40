import { getItem } from '../db/batch-loader.ts';
import { change, create, update } from '../db/change.ts';
import { commit } from '../db/commit.ts';
import { and, attributeUnchanged, exists } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { ApiError } from '../model/errors.ts';
import { equalInConstantTime, newSecret, sha256 } from '../model/ids.ts';
import { providerLifetimes } from '../model/provider-limits.ts';

/** What an application asks for. */
export type ProviderSignInRequest = {
  project_id: string;
  /** The name of the provider in the project. */
  provider: string;
  return_url: string;
  /** Who redeems the code must know its verifier (PKCE, RFC 7636). */
  code_challenge: string;
  /** The application's own, returned as it is. */
  app_state?: string;
};

/** A sign-in that a browser has begun, stored under the digest of its state. One answer to it is used. */
export type SignInTransaction = Item &
  ProviderSignInRequest & {
    /** The SHA-256 of the secret in the cookie of the browser. */
    browser: string;
    /** When the answer that is used came. */
    answered_at?: string;
    /** Epoch seconds. */
    expires_at: number;
  };

/** A new transaction with what the browser gets of it. */
export function newTransaction(request: ProviderSignInRequest, now: Date) {
  const [state, secret] = [newSecret(), newSecret()];
  const item: SignInTransaction = {
    ...keys.providerSignIn(state),
    ...request,
    browser: sha256(secret),
    expires_at: epochSeconds(now) + providerLifetimes.signIn,
  };
  return { state, secret, ...proofOf(state, secret), write: create(item) };
}

/**
 * What a sign-in proves itself with to the provider. It follows from what the browser keeps, so neither the table nor
 * an error that repeats a call to it has any of it.
 */
const proofOf = (state: string, secret: string) => ({
  nonce: sha256(`nonce ${state} ${secret}`),
  code_verifier: sha256(`verifier ${state} ${secret}`),
});

/**
 * The one-time code for the page of a sign-in. It follows from what the browser keeps, as the proof does: an answer that
 * comes twice, because nothing came back, leads to the same code.
 */
const codeOf = (state: string, secret: string): string => sha256(`code ${state} ${secret}`);

/**
 * The transaction of a state at a provider, for the browser that has begun it. It is marked before the provider is asked
 * for anything: of two answers at once the one that finds it without `answered_at` is used. Throws `invalid_request` for
 * anything else, and says no more.
 */
export async function takeTransaction(
  { state, provider, secret = '' }: { state: string; provider: string; secret: string | undefined },
  now: Date,
): Promise<SignInTransaction & ReturnType<typeof proofOf> & { page_code: string }> {
  const found = await getItem<SignInTransaction>(keys.providerSignIn(state));
  if (!found || found.provider !== provider || found.expires_at <= epochSeconds(now))
    throw notBegun('no such sign-in at the provider');
  // Who has another browser must not end the sign-in of this one.
  if (!equalInConstantTime(sha256(secret), found.browser)) throw notBegun('of another browser');
  const { pk, sk, answered_at } = found;
  if (answered_at === undefined) {
    const isFirst = and(exists, attributeUnchanged('answered_at', undefined));
    const answered = update({ pk, sk }, { set: { answered_at: now.toISOString() } }, isFirst);
    // A request that is not the first starts over, and finds it answered.
    await commit(change({ begun: answered }, undefined));
  }
  return { ...found, ...proofOf(state, secret), page_code: codeOf(state, secret) };
}

export const notBegun = (reason: string): ApiError =>
  new ApiError('invalid_request', {
    detail:
      'This sign-in was not begun in this browser, was finished, or has expired: begin again where you came from',
    reason,
  });
