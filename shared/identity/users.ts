import { getItem } from '../db/batch-loader.ts';
import { type Change, change, create, type Write } from '../db/change.ts';
import { type Condition, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { itemWithEvents } from '../db/outbox.ts';
import { query } from '../db/query.ts';
import { byEmail } from '../db/index-attributes.ts';
import { keys } from '../db/schema.ts';
import { takeExternalId } from '../directory/external-ids.ts';
import {
  type Fields,
  type MetadataItem,
  metadataEvents,
  toAttributes,
} from '../metadata/stored.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import type { Link } from '../model/fields.ts';

/** The profile that a user edits. Unset attributes are absent. */
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

/** The attributes of a user. */
export type UserData = Profile & {
  uid: string;
  project_id: string;
  /** As typed. Empty for a user created by uid. */
  email: string;
  verified: { email: boolean; sms?: boolean };
  /** Both empty until derived (user-wallet.ts). Never changes after that. */
  wallet: { address: string; type: string };
  social?: string;
  sign_in_methods?: Record<string, { enabled: boolean }>;
  last_sign_in_at?: string;
  /** When the user agreed to the terms of service, and to those of the sign-up. */
  agreed_tos_at?: string;
  agreed_sign_up_at?: string;
  /** Set while the user cannot start a session. */
  disabled?: true;
  /** The backend's own id of the user. */
  external_id?: string;
  created_at: string;
  modified_at: string;
};

export type UserItem = Item &
  UserData & {
    /** Incremented by every change of the attributes that profile copies contain. */
    version: number;
    /** The exact number of accepted memberships, and of the workspaces that the user owns. */
    workspace_count: number;
    owned_workspace_count: number;
    /** The session that started last, which shows whether another one started since the user was read. */
    last_session_id?: string;
    /** How often all sessions were ended at once, with which a sign-in ends that waits for its second factor. */
    sign_outs?: number;
    /** Fingerprints of the devices that started sessions, last seen at the end (devices.ts). */
    devices?: string[];
    /** Linked accounts at identity providers, by method name. */
    identities?: Record<string, { issuer: string; subject: string }>;
    /**
     * How often all API keys of the user were ended at once: only those of the present generation work. A key is made on
     * the condition that no event of the user came between, so none of an earlier one is made afterwards.
     */
    key_generation?: number;
    /** The exact number of passkeys; absent without any. */
    passkey_count?: number;
    /** The method of the session in which the second factor was set up; absent without one. */
    factor_method?: string;
    /** Set while there is a metadata item of the user. */
    has_metadata?: true;
    /** Set on the receipt of a deleted user, which every reader treats as missing. */
    deleted_at?: string;
  };

export type EmailGuard = Item & { uid: string };

/** The item with this uid in any project, including the receipt of a deleted user: shows whether a uid is taken. */
export const findUserItem = (uid: string): Promise<UserItem | undefined> =>
  getItem<UserItem>(keys.user(uid));

/** The user with this uid, in any project. */
export async function findUser(uid: string): Promise<UserItem | undefined> {
  const user = await findUserItem(uid);
  return user?.deleted_at === undefined ? user : undefined;
}

/** The user. Undefined if there is none in this project. */
export async function getUser(project_id: string, uid: string): Promise<UserItem | undefined> {
  const user = await findUser(uid);
  return user?.project_id === project_id ? user : undefined;
}

/** The user. Throws `not_found` if there is none in this project. */
export async function requireUser(project_id: string, uid: string): Promise<UserItem> {
  const user = await getUser(project_id, uid);
  if (!user) throw notFound('no such user');
  return user;
}

/** The uid of the user with this e-mail, by a consistent read of the guard item. */
export async function getUidByEmail(
  project_id: string,
  email: string,
): Promise<string | undefined> {
  return (await getItem<EmailGuard>(keys.emailGuard(project_id, email)))?.uid;
}

/**
 * The user with this e-mail, in one round trip: the guard decides who has the e-mail, and a parallel index query
 * returns the user. If the index lags, the user is read again.
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

/** The wallet of a user before it is derived. */
export const noWallet = { address: '', type: '' } as const;

/** A new user without a wallet, not yet stored. */
export function newUser(
  project_id: string,
  uid: string,
  now: Date,
  given: Profile & {
    email?: string;
    email_verified?: boolean | undefined;
    external_id?: string | undefined;
  } = {},
): UserItem {
  const { email = '', email_verified = false, external_id, ...profile } = given;
  return {
    ...keys.user(uid),
    ...(email !== '' && byEmail(project_id, email)),
    uid,
    project_id,
    email,
    ...profile,
    ...(external_id !== undefined && { external_id }),
    verified: { email: email_verified },
    wallet: noWallet,
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
    version: 1,
    workspace_count: 0,
    owned_workspace_count: 0,
  };
}

/** True while the user exists. Excludes the receipt of a deleted user, which must not be changed back into a user. */
export const userExists: Condition = where(
  'attribute_exists(#pk) AND attribute_not_exists(#deleted_at)',
);

/** True while the user is unchanged since it was read. */
export const unchangedSince = ({ version }: UserItem): Condition =>
  where('#version = :seen', { seen: version });

/** True while the user has this e-mail, in any spelling. */
export const hasEmail = (project_id: string, email: string): Condition => {
  const { by_email_pk } = byEmail(project_id, email);
  return where('#by_email_pk = :by_email_pk', { by_email_pk });
};

/** Contains the profile and whether the e-mail is verified, but no sign-in method. */
export const userCreated: EventDraft = { type: 'user.created' };

/** Creates the guard item, which makes an e-mail unique in its project. Fails if it is taken. */
export const emailGuard = ({ project_id, email, uid }: UserItem): Write =>
  create({ ...keys.emailGuard(project_id, email), uid });

/** Creates the guard of a user's external id. Fails if it is taken. Undefined without one. */
export const externalIdGuard = ({ uid: id, project_id, external_id }: UserItem) =>
  takeExternalId('USERS', { id, project_id, external_id });

/**
 * Creates a user and the guard of its e-mail. Both must be in one transaction.
 *
 * @param metadata that the same transaction creates
 */
export const userWrites = (user: UserItem, metadata: Fields = {}) => {
  const facts = metadataEvents('user.metadata_changed', {}, metadata);
  const flagged: UserItem = facts.length > 0 ? { ...user, has_metadata: true } : user;
  return {
    guard: emailGuard(user),
    user: create(itemWithEvents(flagged, userCreated, ...facts)),
  };
};

/**
 * Stores a new user with the guards of its e-mail and external id, its metadata, and further writes. Refused with
 * `external_id_taken`. Stale if the e-mail was taken meanwhile.
 */
export const createUserWithEmail = (
  user: UserItem,
  writes: Record<string, Write> = {},
  metadata: Fields = {},
): Change<UserItem> =>
  change(
    {
      ...writes,
      ...userWrites(user, metadata),
      external_id: externalIdGuard(user),
      metadata: newMetadata(user, metadata),
    },
    user,
    (failed) =>
      failed.external_id !== undefined && failed.guard === undefined
        ? new ApiError('external_id_taken')
        : undefined,
  ).rereadingOnConflict();

/** Creates the metadata item of a new user. Undefined without metadata. */
export const newMetadata = ({ uid, project_id }: UserItem, metadata: Fields): Write | undefined =>
  Object.keys(metadata).length === 0
    ? undefined
    : create<MetadataItem>({
        ...keys.userMetadata(uid),
        project_id,
        ...toAttributes(metadata),
      });

/** Stores a new user without e-mail. Stale if the uid was taken meanwhile. */
export const createUserWithoutEmail = (user: UserItem): Change<UserItem> =>
  change({ user: create(itemWithEvents(user, userCreated)) }, user);

/** The receipt of a deleted user. It contains no personal data, only that and when the user was deleted. */
export type DeletedUserItem = Pick<UserItem, 'pk' | 'sk' | 'uid' | 'project_id' | 'version'> & {
  deleted_at: string;
  /** When the job had deleted everything elsewhere. */
  completed_at?: string;
  /** Memberships that still have to be removed. */
  workspace_count?: number;
  /** Epoch seconds until which the job waits for an index that shows fewer memberships than are counted. */
  patient_until: number;
};

export const isDeletedUser = (user: UserItem | DeletedUserItem): user is DeletedUserItem =>
  user.deleted_at !== undefined;
