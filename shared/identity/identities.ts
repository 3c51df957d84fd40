import { getItem } from '../db/batch-loader.ts';
import { assert, create, del, update, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/schema.ts';
import type { UserItem } from './users.ts';

/** An account at an identity provider that signs in one user. The key is the issuer and subject, never an e-mail. */
export type IdentityItem = Item &
  SealedTokens & {
    uid: string;
    project_id: string;
    /** The method name of the provider at the time of linking. */
    provider: string;
    created_at: string;
    /** Until then, in epoch seconds, one request alone refreshes the tokens. */
    refreshing_until?: number;
  };

/**
 * The tokens of the provider, if the project keeps them (`providers/sealed-tokens.ts` encrypts them). They are in the item
 * of the link, so that whatever ends the link ends them.
 */
export type SealedTokens = { sealed_access?: Uint8Array; sealed_refresh?: Uint8Array };

/** The link of an account at an identity provider. Undefined if it is not linked with a user. */
export const getIdentity = (
  project_id: string,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentityItem | undefined> =>
  getItem<IdentityItem>(keys.identity(project_id, issuer, subject));

/** Links an account at an identity provider with a user. Fails if it is already linked. */
export const linkIdentity = (
  { project_id, uid }: { project_id: string; uid: string },
  provider: string,
  { issuer, subject }: { issuer: string; subject: string },
  now: Date,
  tokens: SealedTokens = {},
): Write =>
  create({
    ...keys.identity(project_id, issuer, subject),
    uid,
    project_id,
    provider,
    created_at: now.toISOString(),
    ...tokens,
  });

/**
 * Fails the transaction if the link changed since it was read, and keeps the tokens of a sign-in at its provider. A refresh
 * token stays where the provider gives none with a later sign-in, as Google does.
 *
 * @param tokens empty: whatever is kept goes; undefined: it stays
 */
export function identityUnchanged(
  link: IdentityItem,
  { provider, tokens }: { provider: string; tokens?: SealedTokens | undefined },
): Write {
  const { pk, sk, uid, sealed_access } = link;
  const same = where('#uid = :uid', { uid });
  const isOfThis = tokens !== undefined && link.provider === provider;
  if (isOfThis && tokens.sealed_access) return update({ pk, sk }, { set: tokens }, same);
  if (isOfThis && sealed_access) return update({ pk, sk }, { remove: tokenAttributes }, same);
  return assert({ pk, sk }, same);
}

/** The attributes of a link that are about tokens. */
export const tokenAttributes = ['sealed_access', 'sealed_refresh', 'refreshing_until'] as const;

/** Keeps the tokens of a link that is there and was not read. */
export const keepTokens = (
  { project_id, uid }: UserItem,
  { issuer, subject }: { issuer: string; subject: string },
  tokens: SealedTokens,
): Write =>
  update(
    keys.identity(project_id, issuer, subject),
    { set: tokens },
    where('#uid = :uid', { uid }),
  );

/** Unlinks an account at an identity provider. */
export const unlinkIdentity = (
  project_id: string,
  { issuer, subject }: { issuer: string; subject: string },
): Write => del(keys.identity(project_id, issuer, subject));

/** The writes that unlink all identity provider accounts of a user. */
export const unlinkings = ({ project_id, identities = {} }: UserItem): Record<string, Write> =>
  Object.fromEntries(
    Object.entries(identities).map(([provider, identity]) => [
      `unlink ${provider}`,
      unlinkIdentity(project_id, identity),
    ]),
  );
