import { getItem } from '../db/batch-loader.ts';
import { type Change, type Condition, change, create, type Write, where } from '../db/change.ts';
import type { Item } from '../db/item.ts';
import { itemWithEvents } from '../db/outbox.ts';
import { query } from '../db/query.ts';
import { byEmail, keys } from '../db/schema.ts';
import { notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import type { Link } from '../model/fields.ts';

/** What a person says of themself; unset is absent. */
export type Profile = {
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  profile_url?: string | undefined;
  thumbnail_url?: string | undefined;
  name?:
    | {
        given_name?: string | undefined;
        family_name?: string | undefined;
        formatted?: string | undefined;
      }
    | undefined;
  about_me?: string | undefined;
  current_location?: string | undefined;
  photos?: Link[] | undefined;
  urls?: Link[] | undefined;
};

/** What is known of a user. */
export type UserData = Profile & {
  uid: string;
  project_id: string;
  /** As typed; empty for a user made by uid. */
  email: string;
  verified: { email: boolean; sms?: boolean };
  /** Both empty until it is derived (user-wallet.ts); then it never changes. */
  wallet: { address: string; type: string };
  social?: string;
  sign_in_methods?: Record<string, { enabled: boolean }>;
  last_sign_in_at?: string;
  /** When the person agreed to the terms, and to those of signing up. */
  agreed_tos_at?: string;
  agreed_sign_up_at?: string;
  /** Present while no session may start. */
  disabled?: true;
  created_at: string;
  modified_at: string;
};

export type UserItem = Item &
  UserData & {
    /** Counts the changes of what member items copy. */
    version: number;
    /** Accepted memberships, exactly, and the workspaces among them that the user owns. */
    workspace_count: number;
    owned_workspace_count: number;
    /** The session that started last, by which whoever ends all of them knows that none came between. */
    last_session_id?: string;
    /** The devices that sessions started from, the one seen last at the end (shared/identity/devices.ts). */
    devices?: string[];
    /** The accounts at identity providers that sign this user in, by method name. */
    identities?: Record<string, { issuer: string; subject: string }>;
    /** Of a deleted user only the receipt is left, which every reader takes for nothing. */
    deleted_at?: string;
  };

export type EmailGuard = Item & { uid: string };

/** What has a uid in whatever project, be it the receipt of a deleted user: to tell one that is taken from a free one. */
export const findUserItem = (uid: string): Promise<UserItem | undefined> =>
  getItem<UserItem>(keys.user(uid));

/** The user of whatever project. */
export async function findUser(uid: string): Promise<UserItem | undefined> {
  const user = await findUserItem(uid);
  return user?.deleted_at === undefined ? user : undefined;
}

/** The user, or undefined where there is none in this project. */
export async function getUser(project_id: string, uid: string): Promise<UserItem | undefined> {
  const user = await findUser(uid);
  return user?.project_id === project_id ? user : undefined;
}

/** The user. Throws `not_found` where there is none in this project. */
export async function requireUser(project_id: string, uid: string): Promise<UserItem> {
  const user = await getUser(project_id, uid);
  if (!user) throw notFound('no such user');
  return user;
}

/** Who has an e-mail, by the guard item and so for certain. */
export async function getUidByEmail(
  project_id: string,
  email: string,
): Promise<string | undefined> {
  return (await getItem<EmailGuard>(keys.emailGuard(project_id, email)))?.uid;
}

/**
 * The user with an e-mail, in one round trip: the guard, read consistently, decides who has the e-mail, and the
 * index brings the user beside it. Only where the index lags behind the guard is the user read again.
 */
export async function findUserByEmail(
  project_id: string,
  email: string,
): Promise<UserItem | undefined> {
  const { by_email_pk, by_email_sk } = byEmail(project_id, email);
  const [uid, { items }] = await Promise.all([
    getUidByEmail(project_id, email),
    query<UserItem>({ index: 'by-email', partition: by_email_pk, prefix: by_email_sk, limit: 1 }),
  ]);
  if (uid === undefined) return undefined;
  const found = items.find((user) => user.uid === uid);
  return found ?? (await findUser(uid));
}

/** Of a user whose wallet was not derived yet. */
export const noWallet = { address: '', type: '' } as const;

/** A new user without a wallet, not yet stored. */
export function newUser(
  project_id: string,
  uid: string,
  now: Date,
  given: Profile & { email?: string; email_verified?: boolean | undefined } = {},
): UserItem {
  const { email = '', email_verified = false, ...profile } = given;
  return {
    ...keys.user(uid),
    ...(email !== '' && byEmail(project_id, email)),
    uid,
    project_id,
    email,
    ...profile,
    verified: { email: email_verified },
    wallet: noWallet,
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
    version: 1,
    workspace_count: 0,
    owned_workspace_count: 0,
  };
}

/** Holds while there is a user: of a deleted one an item stays, which nothing may revive. */
export const userExists: Condition = where(
  'attribute_exists(#pk) AND attribute_not_exists(#deleted_at)',
);

/** Holds while a user is as it was read. */
export const unchangedSince = ({ version }: UserItem): Condition =>
  where('#version = :seen', { seen: version });

/** Holds while a user has the e-mail, however it is written. */
export const hasEmail = (project_id: string, email: string): Condition => {
  const { by_email_pk } = byEmail(project_id, email);
  return where('#by_email_pk = :by_email_pk', { by_email_pk });
};

/** What a new user tells; it shows the profile and whether the e-mail is proven, but no way to sign in. */
export const userCreated: EventDraft = { type: 'user.created' };

/** Says who has an e-mail; fails as a stale read where somebody has. */
export const emailGuard = ({ project_id, email, uid }: UserItem): Write =>
  create({ ...keys.emailGuard(project_id, email), uid });

/** A new user and the guard of its e-mail: both or neither, so in one transaction. */
export const userWrites = (user: UserItem) => ({
  guard: emailGuard(user),
  user: create(itemWithEvents(user, userCreated)),
});

/**
 * Stores a new user with the guard of its e-mail, and what is written along. Stale if the e-mail was taken meanwhile.
 */
export const createUserWithEmail = (
  user: UserItem,
  writes: Record<string, Write> = {},
): Change<UserItem> => change({ ...writes, ...userWrites(user) }, user).rereadingOnConflict();

/** Stores a new user without e-mail. Stale if the uid was taken meanwhile. */
export const createUserWithoutEmail = (user: UserItem): Change<UserItem> =>
  change({ user: create(itemWithEvents(user, userCreated)) }, user);

/** What is left of a deleted user: nothing about the person, but that and when they were deleted. */
export type DeletedUserItem = Pick<UserItem, 'pk' | 'sk' | 'uid' | 'project_id' | 'version'> & {
  deleted_at: string;
  /** When the job was done with everything that lay elsewhere. */
  completed_at?: string;
  /** Memberships that are still to be removed. */
  workspace_count?: number;
  /** Epoch seconds until which the job waits for an index that shows fewer memberships than are counted. */
  patient_until: number;
};

export const isDeletedUser = (user: UserItem | DeletedUserItem): user is DeletedUserItem =>
  user.deleted_at !== undefined;
