import { type Project, providerOf, type SignInProvider } from '../access/projects.ts';
import { getItem } from '../db/batch-loader.ts';
import { create, del, type Write } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import type { Identity } from '../identity/identities/identity-claims.ts';
import type { SealedTokens } from '../identity/identities/provider-tokens.ts';
import { ApiError } from '../model/errors.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import { hasAccountsOf } from '../model/provider-presets.ts';
import { matchesChallenge } from '../oauth/pkce.ts';
import type { SignInTransaction } from './transactions.ts';

/**
 * Somebody who has signed in at a provider. Stored under the digest of a one-time code, which is worth nothing without
 * the verifier of the page that began: a code that is read in a log or a history signs nobody in who did not begin it.
 */
export type ProviderCodeItem = Item &
  Partial<SealedTokens> &
  Pick<SignInTransaction, 'project_id' | 'provider' | 'code_challenge'> & {
    identity: Identity;
    /** Epoch seconds. */
    expires_at: number;
  };

/** The write that stores a code. */
export function storeProviderCode(
  code: string,
  { project_id, provider, code_challenge }: SignInTransaction,
  { identity, tokens }: { identity: Identity; tokens?: SealedTokens | undefined },
  now: Date,
): Write {
  const item: ProviderCodeItem = {
    ...keys.providerCode(code),
    project_id,
    provider,
    code_challenge,
    identity,
    ...tokens,
    expires_at: epochSeconds(now) + providerLifetimes.code,
  };
  return create(item);
}

/** Whether a code is stored, and was neither used nor has expired. */
export async function isRedeemable(code: string, now: Date): Promise<boolean> {
  const item = await getItem<ProviderCodeItem>(keys.providerCode(code));
  return item !== undefined && item.expires_at > epochSeconds(now);
}

/** What a page presents. */
export type Presented = { code: string; code_verifier: string };

/**
 * Whom a code is about, and the write that uses it up with what follows from it: a refusal does not. Throws
 * `identity_token_invalid`, whatever is wrong with the code.
 */
export async function requireProviderCode(
  { code, code_verifier, project_id }: Presented & { project_id: string },
  now: Date,
): Promise<{ item: ProviderCodeItem; used: Write }> {
  const item = await getItem<ProviderCodeItem>(keys.providerCode(code));
  if (item?.project_id !== project_id || item.expires_at <= epochSeconds(now))
    throw refused('no such code');
  if (!matchesChallenge(code_verifier, item.code_challenge)) throw refused('another verifier');
  const { pk, sk } = item;
  return { item, used: del({ pk, sk }, exists) };
}

/**
 * The account of a code, for a user who links it. Throws `sign_in_method_disabled` if the project has no such provider
 * any more, and `identity_token_invalid`, also for the code of another provider.
 */
export async function requireProviderCodeOf(
  project: Project,
  { provider, ...presented }: Presented & { provider: string },
  now: Date,
): Promise<{ identity: Identity; tokens: SealedTokens | undefined; used: Write }> {
  if (!providerOf(project, provider)) throw new ApiError('sign_in_method_disabled');
  const { project_id } = project;
  const { item, used } = await requireProviderCode({ ...presented, project_id }, now);
  if (item.provider !== provider) throw refused('the code of another provider');
  const tokens = tokensOf(item, requireProviderOf(project, item));
  return { identity: item.identity, tokens, used };
}

/**
 * The settings of the provider of a code. Throws `sign_in_method_disabled` if the project has it no more, or has
 * another issuer under its name: the one that it has given up may be in strange hands.
 */
export function requireProviderOf(
  project: Project,
  { provider, identity }: Pick<ProviderCodeItem, 'provider' | 'identity'>,
): SignInProvider {
  const settings = providerOf(project, provider);
  if (!settings || !hasAccountsOf(settings, identity.issuer))
    throw new ApiError('sign_in_method_disabled');
  return settings;
}

/** The tokens that came with a code, if the project still keeps any. */
export function tokensOf(
  { sealed_access, sealed_refresh }: ProviderCodeItem,
  { keep_tokens }: SignInProvider,
): SealedTokens | undefined {
  if (!keep_tokens || !sealed_access) return undefined;
  return { sealed_access, ...(sealed_refresh && { sealed_refresh }) };
}

const refused = (reason: string): ApiError =>
  new ApiError('identity_token_invalid', {
    detail: 'The code was used or has expired, or is not of this project and verifier',
    reason,
  });
