import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import type { Write } from '../db/change.ts';
import { sessionExists } from '../identity/sessions/sessions.ts';
import { requireUser, type UserItem } from '../identity/users/users.ts';
import { notFound } from '../model/errors.ts';
import type { Authorized } from '../workspaces/authorize.ts';
import { principalChecks, stillManages } from '../workspaces/by-principal.ts';
import { notRestoredSince } from '../workspaces/items.ts';
import { type ApiKeyItem, getApiKey, isLiveOf, type KeyOwner } from './items.ts';

/** Who may manage the keys of an owner, and what must still hold at the commit. */
export type Managed = {
  owner: KeyOwner;
  /** Writes that require at the commit that the caller may still manage the keys of a workspace. */
  checks?: Record<string, Write>;
};

/** A user as the owner of keys. */
export const ownerOfKeys = (item: UserItem): KeyOwner => ({ kind: 'user', id: item.uid, item });

/** A user as the owner of keys: the caller, or for a backend any of its project. Throws `not_found`. */
export const requireKeysOf = async ({
  project_id,
  uid,
}: Pick<PersonCaller, 'project_id' | 'uid'>): Promise<Managed> => ({
  owner: ownerOfKeys(await requireUser(project_id, uid)),
});

/** A workspace as the owner of keys, if the principal may still manage them at the commit. */
export function managedBy({
  workspace,
  principal,
}: Pick<Authorized, 'workspace' | 'principal'>): Managed {
  const { workspace_id } = workspace;
  return {
    owner: {
      ...({ kind: 'workspace', id: workspace_id, item: workspace } as const),
      // A deletion ends the keys, also where the workspace is restored.
      conditions: [...stillManages(principal), notRestoredSince(workspace)],
    },
    checks: principalChecks(workspace_id, principal),
  };
}

/** Fails the transaction if the session of a person who gets the text of a key, or ends one, has ended. */
export const sessionChecks = (caller: PersonCaller | ProjectCaller): Record<string, Write> =>
  caller.kind === 'person' ? { session: sessionExists(caller.uid, caller.session_id) } : {};

/** A live key of a user, for the user or a backend. Throws `not_found`. */
export const requireKeyOf = (
  user: Pick<PersonCaller, 'project_id' | 'uid'>,
  key_id: string,
  now: Date,
) => requireKey(requireKeysOf(user), { kind: 'user', id: user.uid, key_id }, now);

/** A live key of a workspace, for who manages its keys. Throws `not_found`. */
export const requireWorkspaceKey = (
  authorizing: Promise<Authorized>,
  { workspace_id: id, key_id }: { workspace_id: string; key_id: string },
  now: Date,
) => requireKey(authorizing.then(managedBy), { kind: 'workspace', id, key_id }, now);

async function requireKey(
  managed: Promise<Managed>,
  { kind, id, key_id }: { kind: KeyOwner['kind']; id: string; key_id: string },
  now: Date,
): Promise<Managed & { key: ApiKeyItem }> {
  const [found, key] = await Promise.all([managed, getApiKey(kind, id, key_id)]);
  if (!key || !isLiveOf(found.owner, key, now)) throw notFound('no such live API key');
  return { ...found, key };
}
