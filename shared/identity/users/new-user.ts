import type { Profile } from '../../contract/profile.ts';
import { type Change, change, create, type Write } from '../../db/change.ts';
import { byEmail } from '../../db/index-attributes.ts';
import { keys } from '../../db/keys.ts';
import { itemWithEvents } from '../../db/outbox.ts';
import { takeExternalId } from '../../directory/external-ids.ts';
import {
  type Fields,
  type MetadataItem,
  metadataAttributes,
  metadataEvents,
} from '../../metadata/stored.ts';
import { ApiError } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import type { UserItem } from './users.ts';

/** The wallet of a user before it is derived. */
export const noWallet = { address: '', type: '' } as const;

/** A new user without a wallet, not yet stored. */
export function newUser(
  project_id: string,
  uid: string,
  attributes: Profile & {
    email?: string;
    email_verified?: boolean | undefined;
    external_id?: string | undefined;
  },
  now: Date,
): UserItem {
  const { email = '', email_verified = false, external_id, ...profile } = attributes;
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
  const events = metadataEvents('user.metadata_changed', {}, metadata);
  const flagged: UserItem = events.length > 0 ? { ...user, has_metadata: true } : user;
  return {
    guard: emailGuard(user),
    user: create(itemWithEvents(flagged, userCreated, ...events)),
  };
};

/**
 * Stores a new user with the guards of its e-mail and external id, its metadata, and further writes. Refused with
 * `external_id_taken`. Stale if the e-mail was taken meanwhile.
 */
export const createUserWithEmail = (
  user: UserItem,
  writes: Record<string, Write>,
  metadata: Fields,
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
        ...metadataAttributes(metadata),
      });

/** Stores a new user without e-mail. Stale if the uid was taken meanwhile. */
export const createUserWithoutEmail = (user: UserItem): Change<UserItem> =>
  change({ user: create(itemWithEvents(user, userCreated)) }, user);
