import { getProject, providerOf } from '../access/projects.ts';
import { type Change, change, noChange } from '../db/change.ts';
import { currentRequest } from '../db/request-context.ts';
import { type Identity, nameFrom } from '../identity/identities/identity-claims.ts';
import type { SealedTokens } from '../identity/identities/provider-tokens.ts';
import { ApiError } from '../model/errors.ts';
import { withParameters } from '../oauth/redirect-uri.ts';
import { clearBinding, readBinding } from './browser-cookie.ts';
import { readProviderSecret } from './client-secret.ts';
import { isRedeemable, storeProviderCode } from './codes.ts';
import { callbackUrl, isReturnUrl } from './configured.ts';
import { exchangeCode } from './exchange.ts';
import { providerMetadataOf } from './metadata.ts';
import type { Owner } from './sealed-tokens.ts';
import type { Departure } from './start.ts';
import { nameIn, type ProviderTokens } from './token-response.ts';
import { notBegun, takeTransaction } from './transactions.ts';

/** The parameters with which a provider sends a browser back. */
export type ProviderAnswer = {
  state?: string | undefined;
  code?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
  /** Apple's, with the name of somebody who signs in for the first time. */
  user?: string | undefined;
};

/** Why nobody has signed in, as the application is told. */
type ReturnError =
  | 'access_denied'
  | 'provider_failed'
  | 'temporarily_unavailable'
  | 'sign_in_method_disabled';

/**
 * Finishes a sign-in at a provider, and gives the address to which the browser goes: that of the application, with a
 * one-time code or with an error. Throws `invalid_request` where nobody may be redirected.
 */
export async function finishAtProvider(
  answer: ProviderAnswer,
  { name, cookies }: { name: string; cookies: readonly string[] },
  now: Date,
): Promise<Change<Departure>> {
  const { state } = answer;
  if (!state) throw notBegun('no state');
  const secret = readBinding(cookies, state);
  const begun = await takeTransaction({ state, provider: name, secret }, now);
  const { project_id, return_url, app_state } = begun;
  currentRequest().subject = { project_id };
  const project = await getProject(project_id);
  // The operator may have taken it away since, because it is no longer theirs.
  if (!project || !isReturnUrl(project, return_url))
    throw notBegun('the project has no such return URL any more');
  const backWith = (parameters: { code: string } | { error: ReturnError }): Departure => ({
    location: withParameters(return_url, { ...parameters, state: app_state }),
    cookies: [clearBinding(state)],
  });
  const provider = providerOf(project, name);
  if (!provider) return noChange(backWith({ error: 'sign_in_method_disabled' }));
  if (answer.error !== undefined || !answer.code)
    return noChange(backWith({ error: errorOf(answer.error) }));
  const { page_code } = begun;
  // Another answer came before this one, and is the one that is used. Where nothing came back to the browser, this one
  // leads to the same code. There is none while that one is at the provider, or where it failed.
  if (begun.answered_at !== undefined)
    return noChange(
      backWith(
        (await isRedeemable(page_code, now))
          ? { code: page_code }
          : { error: 'temporarily_unavailable' },
      ),
    );
  const [metadata, clientSecret, keeper] = await Promise.all([
    providerMetadataOf(provider),
    readProviderSecret(project_id, name, provider),
    provider.keep_tokens ? tokenKeeper() : undefined,
  ]).catch((error: unknown) => {
    currentRequest().survived = error;
    return [];
  });
  if (!metadata || clientSecret === undefined)
    return noChange(backWith({ error: 'temporarily_unavailable' }));
  let identity: Identity;
  let tokens: SealedTokens | undefined;
  try {
    const { code, iss } = answer;
    const { nonce, code_verifier } = begun;
    const redirect_uri = callbackUrl(name);
    const exchanged = await exchangeCode({
      provider,
      metadata,
      secret: clientSecret,
      redirect_uri,
      state,
      nonce,
      code_verifier,
      answer: { code, state, iss },
    });
    identity = withPostedName(exchanged.identity, answer.user);
    const owner = { project_id, provider: name, settings: provider, account: identity };
    tokens = keeper?.(owner, exchanged.tokens);
  } catch (error) {
    currentRequest().survived = reasonOf(error);
    const passes = error instanceof ApiError && error.code === 'temporarily_unavailable';
    return noChange(backWith({ error: passes ? 'temporarily_unavailable' : 'provider_failed' }));
  }
  const write = storeProviderCode(page_code, begun, { identity, tokens }, now);
  return change({ code: write }, backWith({ code: page_code }));
}

/** Encrypts tokens. Apart, so that only projects that keep tokens load it. Rejects without the key. */
async function tokenKeeper() {
  const { getTokenKeys, sealTokens } = await import('./sealed-tokens.ts');
  const keys = await getTokenKeys();
  return (owner: Owner, tokens: ProviderTokens): SealedTokens => sealTokens(keys, owner, tokens);
}

/** What somebody does is told apart from what fails. The text of a provider goes nowhere. */
function errorOf(error: string | undefined): ReturnError {
  const isCancelled =
    /^(?:access_denied|consent_required|login_required|interaction_required|user_cancelled_\w+)$/;
  if (error !== undefined && isCancelled.test(error)) return 'access_denied';
  currentRequest().survived = new Error(
    `The provider answered ${error === undefined ? 'without a code' : nameIn(error)}`,
  );
  return error === 'temporarily_unavailable' ? error : 'provider_failed';
}

/** An error with the reason of an `ApiError`, and with the error code that the token endpoint has given. */
function reasonOf(error: unknown): Error {
  if (error instanceof ApiError) return new Error(error.reason, { cause: error.cause });
  const { error: code } = Object(error) as { error?: unknown };
  return new Error(
    typeof code === 'string' ? `The provider answered ${nameIn(code)}` : 'The exchange failed',
    // What does not parse is quoted in the error, and may be a token.
    isOfParsing(error) ? {} : { cause: error },
  );
}

const isOfParsing = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Error && isOfParsing(error.cause));

/**
 * The name that Apple posts beside the code, once, and never again. It comes through the browser and is not signed, so
 * people may say there what they like, as in their profile.
 */
function withPostedName(identity: Identity, user: string | undefined): Identity {
  if (user === undefined || identity.name) return identity;
  try {
    const { name } = Object(JSON.parse(user)) as { name?: unknown };
    const { firstName, lastName } = Object(name) as { firstName?: unknown; lastName?: unknown };
    const full = [firstName, lastName].filter((each) => typeof each === 'string').join(' ');
    const posted = nameFrom({ given_name: firstName, family_name: lastName, name: full });
    return posted ? { ...identity, name: posted } : identity;
  } catch {
    return identity;
  }
}
