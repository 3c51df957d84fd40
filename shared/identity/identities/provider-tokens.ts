import { del, update, type Write } from '../../db/change.ts';
import { where } from '../../db/condition.ts';
import { epochSeconds, type Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { providerLifetimes } from '../../model/provider-limits.ts';

/** Tokens of a provider, encrypted (providers/sealed-tokens.ts). */
export type SealedTokens = { sealed_access: Uint8Array; sealed_refresh?: Uint8Array };

/**
 * The tokens of an account at a provider, if the project keeps them. Apart from the link, so that who refreshes them
 * can write no link; whatever ends the link ends them in the same transaction.
 */
export type ProviderTokensItem = Item &
  SealedTokens & {
    uid: string;
    project_id: string;
    /** The name of the provider in the project. */
    provider: string;
    /** Until then, in epoch seconds, one request alone refreshes them. */
    refreshing_until?: number;
    /** Epoch seconds: half a year after the last sign-in or refresh. */
    expires_at: number;
  };

/** Whether tokens are kept for a user: an account moves, and DynamoDB deletes late. */
export const areKeptFor = (uid: string, kept: ProviderTokensItem, now: Date): boolean =>
  kept.uid === uid && kept.expires_at > epochSeconds(now);

type Account = { issuer: string; subject: string };

/**
 * Keeps the tokens of a sign-in. A refresh token stays where the provider gives none with a later one, as Google does.
 * The transaction must hold the link too.
 */
export const keepTokens = (
  { project_id, uid }: { project_id: string; uid: string },
  { provider, identity, tokens }: { provider: string; identity: Account; tokens: SealedTokens },
  now: Date,
): Write =>
  update<ProviderTokensItem>(
    keys.providerTokens(project_id, identity.issuer, identity.subject),
    { set: { ...tokens, uid, project_id, provider, expires_at: keptUntil(now) } },
    where('attribute_not_exists(#uid) OR #uid = :uid', { uid }),
  );

/** Until when tokens are kept that are written now, in epoch seconds. */
export const keptUntil = (now: Date): number => epochSeconds(now) + providerLifetimes.kept;

/** Deletes the tokens of an account, if there are any. */
export const forgetTokens = (project_id: string, { issuer, subject }: Account): Write =>
  del(keys.providerTokens(project_id, issuer, subject));
