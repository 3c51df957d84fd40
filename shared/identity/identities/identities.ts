import { getItem } from '../../db/batch-loader.ts';
import { assert, create, del, type Write } from '../../db/change.ts';
import { where } from '../../db/condition.ts';
import type { Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import type { UserItem } from '../users/users.ts';
import { forgetTokens } from './provider-tokens.ts';

/** An account at an identity provider that signs in one user. The key is the issuer and subject, never an e-mail. */
export type IdentityItem = Item & {
  uid: string;
  project_id: string;
  /** The method name of the provider at the time of linking. */
  provider: string;
  created_at: string;
};

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
): Write =>
  create({
    ...keys.identity(project_id, issuer, subject),
    uid,
    project_id,
    provider,
    created_at: now.toISOString(),
  });

/** Fails the transaction if the link changed since it was read. */
export const assertIdentityUnchanged = ({
  pk,
  sk,
  uid,
}: Pick<IdentityItem, 'pk' | 'sk' | 'uid'>): Write =>
  assert({ pk, sk }, where('#uid = :uid', { uid }));

/** Unlinks an account at an identity provider. */
export const unlinkIdentity = (
  project_id: string,
  { issuer, subject }: { issuer: string; subject: string },
): Write => del(keys.identity(project_id, issuer, subject));

/** The writes that unlink all identity provider accounts of a user, and end what is kept of their tokens. */
export const unlinkings = ({ project_id, identities = {} }: UserItem): Record<string, Write> =>
  Object.fromEntries(
    Object.entries(identities).flatMap(([provider, identity]): [string, Write][] => [
      [`unlink ${provider}`, unlinkIdentity(project_id, identity)],
      [`tokens of ${provider}`, forgetTokens(project_id, identity)],
    ]),
  );
