import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import { getItem } from '../db/batch-loader.ts';
import type { Change } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { keys } from '../db/schema.ts';
import type { Match } from '../http/precondition.ts';
import {
  changeMetadata,
  type Fields,
  fieldsOf,
  isSame,
  type MetadataItem,
} from '../metadata/stored.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { requireUser, type UserItem, userExists } from './users.ts';

type Caller = ProjectCaller | PersonCaller;

/** A user with their metadata. */
type Found = { user: UserItem; stored: MetadataItem | undefined };

export const getUserMetadata = (uid: string): Promise<MetadataItem | undefined> =>
  getItem<MetadataItem>(keys.userMetadata(uid));

/** Reads the metadata of a user for the backend or the user. Throws `not_found`. */
export async function requireUserMetadata(caller: Caller, uid: string): Promise<Found> {
  if (caller.kind === 'person' && uid !== caller.uid)
    throw notFound('a person has their own metadata only');
  const [user, stored] = await Promise.all([
    requireUser(caller.project_id, uid),
    getUserMetadata(uid),
  ]);
  return { user, stored };
}

/** The metadata of a user as the caller may see it. */
export function toUserMetadata({ kind }: Caller, fields: Fields): Fields {
  const { private_metadata: _, ...shown } = fields;
  return kind === 'project' ? fields : shown;
}

/**
 * Changes the metadata of a user. Throws `forbidden` if a person would change what only the backend writes, and
 * `precondition_failed`.
 *
 * @param changed the metadata after the change; it is not called before the precondition is met
 */
export function changeUserMetadata(
  caller: Caller,
  { user, stored }: Found,
  match: Match | undefined,
  given: { private_metadata?: unknown },
  changed: (before: Fields) => Fields,
): Change<Fields> {
  const { uid, project_id } = user;
  const before = fieldsOf(stored);
  // Without metadata the user's item says so: it changes with all metadata.
  match?.(stored ?? user, toUserMetadata(caller, before));
  const after = changed(before);
  const isPerson = caller.kind === 'person';
  // Whether the private one is the same must not be visible.
  if (isPerson && (given.private_metadata !== undefined || !isSame('app_metadata', before, after)))
    throw new ApiError('forbidden', {
      detail: "Only the project's backend may change app_metadata or private_metadata",
    });
  return changeMetadata(
    {
      key: keys.userMetadata(uid),
      project_id,
      stored,
      holder: {
        key: keys.user(uid),
        condition: and(userExists, where('#project_id = :project_id', { project_id })),
      },
      type: 'user.metadata_changed',
    },
    after,
  ).as((fields) => toUserMetadata(caller, fields));
}
