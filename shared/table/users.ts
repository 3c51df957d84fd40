import { env } from '../env.ts';
import { Failure, notFound } from '../errors.ts';
import type { Link } from '../model.ts';
import { StaleRead } from '../request.ts';
import type { Item } from './item.ts';
import { query } from './query.ts';
import { getItem } from './read.ts';
import { byEmail, keys } from './shape.ts';
import {
  type Condition,
  ConditionFailed,
  create,
  createItem,
  remove,
  transact,
  update,
  updateItem,
  where,
} from './write.ts';

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
export type UserFacts = Profile & {
  uid: string;
  project_id: string;
  /** As typed; empty for a user made by uid. */
  email: string;
  verified: { email: boolean; sms?: boolean };
  wallet: { address: string; type: string };
  social?: string;
  sign_in_methods?: Record<string, { enabled: boolean }>;
  last_sign_in_at?: string;
  agreed_terms?: { tos?: string; sign_up?: string };
  created_at: string;
  modified_at: string;
};

export type UserItem = Item &
  UserFacts & {
    /** Counts the changes of what member items copy. */
    version: number;
  };

type EmailGuard = Item & { uid: string };

/** The user of whatever project: for the one handler that must tell a foreign uid from a free one. */
export const findUser = (uid: string): Promise<UserItem | undefined> =>
  getItem<UserItem>(keys.user(uid));

/** The user, or undefined where there is none in this project. */
export async function getUser(project_id: string, uid: string): Promise<UserItem | undefined> {
  const user = await findUser(uid);
  return user?.project_id === project_id ? user : undefined;
}

/** The user. Throws `not_found` where there is none in this project. */
export async function requireUser(project_id: string, uid: string): Promise<UserItem> {
  const user = await getUser(project_id, uid);
  if (!user) throw notFound();
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

/** A new user with its wallet, not yet stored. */
export async function newUser(
  project_id: string,
  uid: string,
  now: Date,
  given: Profile & { email?: string; email_verified?: boolean | undefined } = {},
): Promise<UserItem> {
  const { email = '', email_verified = false, ...profile } = given;
  // The curve arithmetic is needed by creation alone: a chunk of its own, not part of every cold start.
  const { assertDeployable, deriveAddress } = await import('../wallet.ts');
  assertDeployable(env.walletXpub(), env.baseUrl());
  return {
    ...keys.user(uid),
    ...(email !== '' && byEmail(project_id, email)),
    uid,
    project_id,
    email,
    ...profile,
    verified: { email: email_verified },
    wallet: { address: deriveAddress(env.walletXpub(), uid), type: env.walletType() },
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
    version: 1,
  };
}

/** Holds while a user is as it was read. */
export const asRead = ({ version }: UserItem): Condition =>
  where('#version = :seen', { seen: version });

/** A new user and the guard of its e-mail: both or neither, so in one transaction. */
export const userWrites = (user: UserItem) => ({
  guard: create({ ...keys.emailGuard(user.project_id, user.email), uid: user.uid }),
  user: create(user),
});

/** Stores a new user with the guard of its e-mail. Throws `StaleRead` if the e-mail was taken meanwhile. */
export async function createUserWithEmail(user: UserItem): Promise<void> {
  await transact(userWrites(user), { rereadOnConflict: true });
}

/** Stores a new user without e-mail, or throws `StaleRead` if the uid was taken meanwhile. */
export async function createUserWithoutEmail(user: UserItem): Promise<void> {
  await createItem(user);
}

/** Changes a profile and returns the user as it is now. Throws `not_found`. */
export async function updateUser(
  project_id: string,
  uid: string,
  profile: Profile,
  now: Date,
): Promise<UserItem> {
  const changes = { set: { ...profile, modified_at: now.toISOString() }, add: { version: 1 } };
  try {
    const item = await updateItem(
      keys.user(uid),
      changes,
      where('#project_id = :project_id', { project_id }),
    );
    return item as UserItem;
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound() : error;
  }
}

/**
 * Marks the e-mail of a user as verified, unless it is: by the table, since an index may be late.
 * Throws `StaleRead` if the user has another e-mail by now.
 */
export async function verifyEmail(found: UserItem, now: Date): Promise<UserItem> {
  const user = await findUser(found.uid);
  if (user?.verified.email && user.by_email_pk === found.by_email_pk) return user;
  if (!user) throw new StaleRead();
  const { by_email_pk } = found;
  const verified = { ...user.verified, email: true };
  const changes = { set: { verified, modified_at: now.toISOString() }, add: { version: 1 } };
  const unmoved = where('#by_email_pk = :by_email_pk', { by_email_pk });
  return (await updateItem(keys.user(user.uid), changes, unmoved)) as UserItem;
}

/**
 * Gives a user another e-mail, not yet verified, and perhaps a changed profile, and moves the guard with it.
 * Throws `email_taken`, or `StaleRead` if the user changed since it was read.
 */
export async function changeEmail(
  user: UserItem,
  email: string,
  profile: Profile,
  now: Date,
): Promise<UserItem> {
  const { project_id, uid } = user;
  const before = keys.emailGuard(project_id, user.email);
  const after = keys.emailGuard(project_id, email);
  const moved = before.pk !== after.pk;
  const set = {
    ...profile,
    email,
    ...byEmail(project_id, email),
    // Another way to write the same address is still the same, proven mailbox.
    verified: { ...user.verified, email: user.verified.email && !moved },
    modified_at: now.toISOString(),
  };
  const ours = where('#uid = :uid', { uid });
  try {
    await transact({
      user: update(keys.user(uid), { set, add: { version: 1 } }, asRead(user)),
      ...(moved && { guard: create({ ...after, uid }) }),
      ...(moved && user.email !== '' && { freed: remove(before, ours) }),
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const { user: failed, guard } = error.failed as { user?: unknown; guard?: EmailGuard };
    if (guard !== undefined && failed === undefined) throw new Failure('email_taken');
    throw error;
  }
  return { ...user, ...(withoutUndefined(set) as typeof set), version: user.version + 1 };
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
