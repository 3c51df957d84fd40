import type { Project } from '../access/projects.ts';
import { relyingPartyOf } from '../access/relying-party.ts';
import type { Passkey } from '../contract/passkeys.ts';
import { getItem } from '../db/batch-loader.ts';
import { create, del, type Write } from '../db/change.ts';
import { exists } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { passkeyPrefix } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import type { UserItem } from '../identity/users/users.ts';
import type { EventDraft } from '../model/events.ts';
import { sha256 } from '../model/ids.ts';

/** A passkey of a user: the public key of a credential, which no secret is needed to verify. */
export type PasskeyItem = Item & {
  passkey_id: string;
  uid: string;
  project_id: string;
  /** As the authenticator knows it, in base64url. */
  credential_id: string;
  /** COSE, in base64url. */
  public_key: string;
  /** The RP ID it was made for, outside of which no browser uses it. Absent on those that earlier versions stored. */
  rp_id?: string;
  /** How often it has signed, as it says; 0 of one that does not count, as those on several devices. */
  counter: number;
  transports: string[];
  backed_up: boolean;
  name: string;
  created_at: string;
  last_used_at?: string;
  /** Set when its counter went back. */
  counter_decreased?: true;
};

/** The method name of passkeys, in `sign_in_methods` and in sessions. */
export const passkeyMethod = 'passkey';

/** The id of a passkey: the digest of its credential id, which may have a thousand bytes. */
export const passkeyIdOf = (credential_id: string): string => sha256(credential_id);

/** A passkey of the user. Undefined if the user has none of this id. */
export const getPasskey = (uid: string, passkey_id: string): Promise<PasskeyItem | undefined> =>
  getItem<PasskeyItem>(keys.passkey(uid, passkey_id));

/** The passkeys of a user, oldest first: there are few, so they are read in one query. */
export async function listPasskeys(uid: string): Promise<PasskeyItem[]> {
  const partition = keys.user(uid).pk;
  const { items } = await query<PasskeyItem>({ partition, prefix: passkeyPrefix });
  return items.toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
}

const ageOf = ({ created_at, passkey_id }: PasskeyItem): string => `${created_at} ${passkey_id}`;

/** Stores a new passkey, and makes its credential id unique in the project. */
export const passkeyCreations = (passkey: PasskeyItem) => {
  const { project_id, passkey_id, uid } = passkey;
  return {
    guard: create({ ...keys.passkeyGuard(project_id, passkey_id), uid, project_id }),
    passkey: create(passkey),
  };
};

/** Deletes passkeys and frees their credential ids. Fails if one is gone. */
export const passkeyDeletions = (passkeys: readonly PasskeyItem[]): Record<string, Write> =>
  Object.fromEntries(
    passkeys.flatMap(({ uid, project_id, passkey_id }): [string, Write][] => [
      [`passkey ${passkey_id}`, del(keys.passkey(uid, passkey_id), exists)],
      [`guard ${passkey_id}`, del(keys.passkeyGuard(project_id, passkey_id))],
    ]),
  );

export const passkeyRemoved = ({ passkey_id }: PasskeyItem): EventDraft => ({
  type: 'user.passkey_removed',
  data: { passkey_id },
});

/**
 * The passkeys of a user that was read, without a read if there is none. Only complete in a transaction that requires
 * the user's version: each addition and removal changes it.
 */
export const passkeysOf = ({ uid, passkey_count = 0 }: UserItem): Promise<PasskeyItem[]> =>
  passkey_count === 0 ? Promise.resolve([]) : listPasskeys(uid);

/**
 * Whether a passkey signs in at the project as it is set now. One that does not say its RP ID does: it may be of the
 * present one.
 */
export const isUsablePasskey = ({ rp_id }: PasskeyItem, project: Project): boolean =>
  project.passkeys === true && (rp_id === undefined || rp_id === relyingPartyOf(project).id);

/** A passkey as its user sees it. */
export const toPasskey = (item: PasskeyItem): Passkey => ({
  passkey_id: item.passkey_id,
  name: item.name,
  created_at: item.created_at,
  ...(item.last_used_at !== undefined && { last_used_at: item.last_used_at }),
  backed_up: item.backed_up,
  transports: item.transports,
  ...(item.counter_decreased && { counter_decreased: true }),
});
