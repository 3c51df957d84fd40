import type { PersonCaller } from '../../access/caller.ts';
import type { Profile } from '../../contract/profile.ts';
import { getItem } from '../../db/batch-loader.ts';
import { type Condition, existsUndeleted, where } from '../../db/condition.ts';
import { byEmail } from '../../db/index-attributes.ts';
import type { Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { query } from '../../db/query.ts';
import { ApiError, notFound } from '../../model/errors.ts';

/** The attributes of a user. */
export type UserData = Profile & {
  uid: string;
  project_id: string;
  /** As typed. Empty for a user created by uid. */
  email: string;
  verified: { email: boolean; sms?: boolean };
  /** Both empty until derived (wallet/user-wallet.ts). Never changes after that. */
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
    /** Names of the devices that started sessions, last seen at the end (sessions/devices.ts). */
    devices?: string[];
    /** Linked accounts at identity providers, by method name. */
    identities?: Record<string, { issuer: string; subject: string }>;
    /**
     * How often all API keys of the user were ended at once: only those of the present generation work. A key is made
     * on the condition that no event of the user came between, so none of an earlier one is made afterwards.
     */
    key_generation?: number;
    /** The exact number of passkeys; absent without any. */
    passkey_count?: number;
    /** The method of the session in which the second factor was set up; absent without one. */
    factor_method?: string;
    /** Set on a user that an invitation created, until a backend asks for the user by e-mail. */
    only_invited?: true;
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

/** The calling user. Throws `unauthenticated` if the user no longer exists. */
export async function requireCaller({
  project_id,
  uid,
}: Pick<PersonCaller, 'project_id' | 'uid'>): Promise<UserItem> {
  const user = await getUser(project_id, uid);
  if (!user) throw new ApiError('unauthenticated', { reason: 'the user was deleted' });
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

/** True while the user exists. Excludes the receipt of a deleted user, which must not be changed back into a user. */
export const userExists: Condition = existsUndeleted;

/** True while the user is unchanged since it was read. */
export const userUnchanged = ({ version }: UserItem): Condition =>
  where('#version = :seen', { seen: version });

/** True while the user has this e-mail, in any spelling. */
export const hasEmail = (project_id: string, email: string): Condition => {
  const { by_email_pk } = byEmail(project_id, email);
  return where('#by_email_pk = :by_email_pk', { by_email_pk });
};

/** The receipt of a deleted user. It contains no personal data, only that and when the user was deleted. */
export type DeletedUserItem = Pick<UserItem, 'pk' | 'sk' | 'uid' | 'project_id' | 'version'> & {
  deleted_at: string;
  /** When the job had deleted everything elsewhere. */
  completed_at?: string;
  /** Memberships that still have to be removed. */
  workspace_count?: number;
  /**
   * Epoch seconds until which the job waits for an index that shows fewer memberships than are counted, and after which
   * the backend can start it again. Absent once it is complete.
   */
  patient_until: number;
};

export const isDeletedUser = (user: UserItem | DeletedUserItem): user is DeletedUserItem =>
  user.deleted_at !== undefined;
